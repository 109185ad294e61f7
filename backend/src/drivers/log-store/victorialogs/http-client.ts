import { Agent as PlainAgent, request as plainRequest, type IncomingMessage } from 'node:http';
import { Agent as SecureAgent, request as secureRequest } from 'node:https';
import { StringDecoder } from 'node:string_decoder';
import { getCACertificates } from 'node:tls';
import { reasonOf } from '../../../core/errors/reason-of.js';
import { jsonValue } from '../../../core/parsing/index.js';
import { isRecord } from '../../../core/values/index.js';
import type { Row } from './line-format.js';

/** A row with a packed line has about 600 kB. */
const MAX_ROW_LENGTH = 2_000_000;
const MAX_RESPONSE_BYTES = 1_000_000_000;
const MAX_MESSAGE_LENGTH = 2000;
const INSERT_TIMEOUT_MS = 30_000;

/** `invalid`: the database rejects the query itself. `timeout`: it took too long. Else the database does not work. */
export type FailureKind = 'invalid' | 'timeout' | 'unavailable';

export class DatabaseFailure extends Error {
  constructor(
    readonly kind: FailureKind,
    message: string,
    options?: { cause?: unknown },
  ) {
    super(message, options);
  }
}

export interface QueryOptions {
  signal?: AbortSignal | undefined;
  timeoutMs: number;
}

/** Speaks HTTP to VictoriaLogs: a single node or the front of a cluster. What it responds is not trusted. */
export class HttpClient {
  /** The address without credentials, for messages. */
  readonly address: string;
  private readonly base: URL;
  private readonly headers: Record<string, string> = {};
  private readonly agent: PlainAgent;
  private readonly send: typeof plainRequest;

  constructor(url: URL) {
    this.base = new URL(url);
    const { username, password, protocol } = url;
    if (username !== '' || password !== '') {
      const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
      this.headers['authorization'] = `Basic ${Buffer.from(credentials).toString('base64')}`;
    }
    Object.assign(this.base, { username: '', password: '', search: '', hash: '' });
    this.base.pathname = this.base.pathname.replace(/(?<!\/)\/*$/, '/');
    this.address = this.base.href.replace(/\/$/, '');
    const secure = protocol === 'https:';
    const pool = { keepAlive: true, maxSockets: 8 };
    this.agent = secure
      ? new SecureAgent({ ...pool, ca: [...getCACertificates('default'), ...getCACertificates('system')] })
      : new PlainAgent(pool);
    this.send = secure ? secureRequest : plainRequest;
  }

  /**
   * Writes rows. A response says that the database has them in memory, not that they are on its disk.
   * @throws DatabaseFailure if it is unknown whether the database has the rows.
   */
  async insert(rows: string, stop: AbortSignal): Promise<void> {
    const signal = AbortSignal.any([stop, AbortSignal.timeout(INSERT_TIMEOUT_MS)]);
    const path = 'insert/jsonline?_stream_fields=store,source';
    const response = await this.post(path, 'application/stream+json', rows, signal);
    const message = await this.messageOf(response, signal);
    if (!isSuccess(response)) throw this.unavailable(`status ${response.statusCode}: ${message}`);
  }

  /**
   * Runs a query and yields its rows in the portions in which they arrive. Leaving the loop cancels the query.
   * @throws DatabaseFailure
   */
  async *query(query: string, { signal, timeoutMs }: QueryOptions): AsyncGenerator<Row[], void, undefined> {
    const deadline = AbortSignal.timeout(timeoutMs);
    const either = signal ? AbortSignal.any([signal, deadline]) : deadline;
    const body = new URLSearchParams({ query, timeout: `${timeoutMs}ms` }).toString();
    const form = 'application/x-www-form-urlencoded';
    const response = await this.post('select/logsql/query', form, body, either);
    if (!isSuccess(response)) throw this.rejection(await this.messageOf(response, either), response);
    const decoder = new StringDecoder('utf8');
    let rest = '';
    let bytes = 0;
    try {
      for await (const chunk of response as AsyncIterable<Buffer>) {
        bytes += chunk.length;
        const lines = (rest + decoder.write(chunk)).split('\n');
        rest = lines.pop() ?? '';
        if (bytes > MAX_RESPONSE_BYTES || rest.length > MAX_ROW_LENGTH) {
          throw this.unavailable('its response is too long');
        }
        if (lines.length > 0) yield lines.map((line) => this.rowOf(line, response));
      }
    } catch (error) {
      throw this.failure(error, either);
    } finally {
      response.destroy();
    }
    if (rest !== '') throw this.rejection(rest, response);
  }

  /** All rows of a query that has few. */
  async rows(query: string, options: QueryOptions): Promise<Row[]> {
    const rows: Row[] = [];
    for await (const portion of this.query(query, options)) rows.push(...portion);
    return rows;
  }

  close(): void {
    this.agent.destroy();
  }

  private async post(
    path: string,
    type: string,
    body: string,
    signal: AbortSignal,
  ): Promise<IncomingMessage> {
    const { agent, headers } = this;
    try {
      return await new Promise<IncomingMessage>((resolve, reject) => {
        const options = { method: 'POST', agent, headers: { ...headers, 'content-type': type }, signal };
        const outgoing = this.send(new URL(path, this.base), options, resolve);
        outgoing.on('error', reject);
        outgoing.end(body);
      });
    } catch (error) {
      throw this.failure(error, signal);
    }
  }

  /** The beginning of a short response. */
  private async messageOf(response: IncomingMessage, signal: AbortSignal): Promise<string> {
    let text = '';
    try {
      for await (const chunk of response as AsyncIterable<Buffer>) {
        if (text.length < MAX_MESSAGE_LENGTH) text += chunk.toString('utf8');
      }
    } catch (error) {
      throw this.failure(error, signal);
    }
    return text.slice(0, MAX_MESSAGE_LENGTH).trim();
  }

  private rowOf(line: string, response: IncomingMessage): Row {
    const row = jsonValue(line);
    // A query that fails after its first rows ends with a message.
    if (isRecord(row)) return row;
    throw this.rejection(line.slice(0, MAX_MESSAGE_LENGTH), response);
  }

  /** A cluster reports a query that it cannot run now with the same status as one that is invalid. */
  private rejection(message: string, { statusCode }: IncomingMessage): DatabaseFailure {
    if (statusCode === 400 && message.includes('cannot parse query')) {
      return new DatabaseFailure('invalid', message);
    }
    if (/deadline exceeded|context canceled|timeout/i.test(message)) {
      return new DatabaseFailure('timeout', 'the query took too long');
    }
    return this.unavailable(`status ${statusCode}: ${message}`);
  }

  private failure(error: unknown, signal: AbortSignal): DatabaseFailure {
    if (error instanceof DatabaseFailure) return error;
    if (signal.aborted) return new DatabaseFailure('timeout', 'no response in time', { cause: error });
    return this.unavailable(reasonOf(error), error);
  }

  private unavailable(reason: string, cause?: unknown): DatabaseFailure {
    return new DatabaseFailure('unavailable', shortReason(reason), { cause });
  }
}

function isSuccess({ statusCode = 0 }: IncomingMessage): boolean {
  return statusCode >= 200 && statusCode < 300;
}

/** The cause at the end of a message of VictoriaLogs, which begins with the request and the whole query. */
function shortReason(reason: string): string {
  const query = reason.includes('cannot execute query [') ? reason.lastIndexOf(']: ') : -1;
  const cause = query === -1 ? reason : reason.slice(query + 3);
  return cause.length > 300 ? `…${cause.slice(-300)}` : cause;
}
