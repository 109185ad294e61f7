import {
  Agent as HttpAgent,
  request as requestPlainly,
  type ClientRequest,
  type IncomingMessage,
} from 'node:http';
import { Agent, request as requestSecurely, type AgentOptions, type RequestOptions } from 'node:https';
import { Duplex, pipeline, type Readable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import { createGunzip } from 'node:zlib';
import type { ClientOptions } from 'ws';
import { guarded } from '../../core/errors/index.js';
import type { RunningProgram } from '../runtime/index.js';
import type { ApiResponse, ApiConnection, ApiRequest, ApiStream } from './api-connection.js';
import { openPort } from './forwarded-port.js';
import { openProgram } from './pod-program.js';
import { proxyAgent } from './proxy-agent.js';
import { RequestBudget } from './request-budget.js';
import type { ApiCredentials, ServerAccess } from './server-access.js';
import { WatchLines } from './watch-lines.js';

/** A healthy API server on this machine responds within milliseconds. */
const DEADLINE_MS = 3000;
/** The table of 10,000 Pods has 20 MB. */
const MAX_RESPONSE = 64_000_000;
/** Of all running compressed responses: a server needs to send little for them. */
const MAX_UNPACKED = 256_000_000;
/** The overview requests several tables concurrently. Elsewhere, each round of them takes another round trip. */
const MAX_REQUESTS = 12;
const MAX_REQUESTS_ELSEWHERE = 30;
/** Watches elsewhere begin later: each opens a connection, while a page waits for its lists. */
const WATCH_AFTER_MS = 1000;
/** The server sends a bookmark every minute, so a silent watch has lost its connection. */
const SILENCE_MS = 6 * 60_000;

/** How often, and how long at most, a request waits that the server rejects because of too many requests. */
const MAX_RETRIES = 3;
/** Errors of connections that were kept open, and that the server closed before it read the request. */
const stale = new WeakSet<Error>();
const MAX_RETRY_AFTER_S = 5;

const CLOSED = 'the connection was closed';

type Headers = Record<string, string | number | string[]>;

type TlsOptions = Pick<RequestOptions, 'ca' | 'cert' | 'key' | 'servername' | 'rejectUnauthorized'>;

/** Agents for one set of credentials: a TLS connection belongs to its client certificate. */
interface Session {
  credentials: ApiCredentials;
  requests: HttpAgent;
  /** Watches hold their sockets for minutes, so a separate agent keeps them from blocking requests. */
  watches: HttpAgent;
  /** Also with each request: a proxy's agent takes them from there. */
  tls: TlsOptions;
}

export class ClusterConnection implements ApiConnection {
  /** Connections to ports and programs. */
  private readonly streams = new Set<Duplex>();
  private readonly outgoing = new Set<ClientRequest>();
  private readonly sessions = new Set<Session>();
  private readonly budget: RequestBudget | undefined;
  private current: Session | undefined;
  private isClosed = false;
  /** Bytes of running compressed responses. */
  private unpacked = 0;

  private constructor(
    private readonly access: ServerAccess,
    private readonly beforeWatch: (signal: AbortSignal) => Promise<void>,
  ) {
    if (access.requestsPerSecond !== undefined) this.budget = new RequestBudget(access.requestsPerSecond);
  }

  /** @param beforeWatch what a watch of a server elsewhere waits for */
  static open(
    access: ServerAccess,
    beforeWatch = (signal: AbortSignal): Promise<void> => wait(WATCH_AFTER_MS, undefined, { signal }),
  ): ClusterConnection {
    return new ClusterConnection(access, beforeWatch);
  }

  async send({
    method = 'GET',
    path,
    accept = 'application/json',
    contentType = 'application/json',
    body,
    deadlineMs = this.access.deadlineMs ?? DEADLINE_MS,
    signal,
  }: ApiRequest): Promise<ApiResponse> {
    // A program that provides credentials has a deadline of its own.
    await this.session();
    const deadline = AbortSignal.timeout(deadlineMs);
    const either = signal ? AbortSignal.any([deadline, signal]) : deadline;
    const { acceptEncoding } = this.access;
    const headers: Headers = { accept, ...(acceptEncoding && { 'accept-encoding': acceptEncoding }) };
    // Without a length, Node sends the body of a DELETE as if it were the next request.
    if (body !== undefined) {
      Object.assign(headers, { 'content-type': contentType, 'content-length': Buffer.byteLength(body) });
    }
    return await this.read(await this.exchange('requests', path, body, either, { method, headers }));
  }

  async stream({ path, accept = 'application/json', signal, onLine }: ApiStream): Promise<ApiResponse> {
    try {
      if (this.budget) await this.beforeWatch(signal);
      const response = await this.exchange('watches', path, undefined, signal, {
        headers: { accept },
        timeout: SILENCE_MS,
        isPatient: true,
      });
      if (response.statusCode !== 200) return await this.read(response);
      const lines = new WatchLines(onLine);
      response.setEncoding('utf8');
      for await (const piece of response) lines.push(String(piece));
    } catch (error) {
      if (!signal.aborted) throw error;
    }
    return { status: 200, text: '' };
  }

  async open(path: string, signal: AbortSignal): Promise<Readable | ApiResponse> {
    // No timeout, since a program may write nothing for hours.
    const response = await this.exchange('watches', path, undefined, signal, {
      headers: { accept: '*/*' },
    });
    return response.statusCode === 200 ? response : await this.read(response);
  }

  async forward(path: string): Promise<Duplex | ApiResponse> {
    const port = await this.upgrade(path, openPort);
    if (port instanceof Duplex) this.keep(port);
    return port;
  }

  async exec(path: string): Promise<RunningProgram | ApiResponse> {
    const program = await this.upgrade(path, openProgram);
    if ('stream' in program) this.keep(program.stream);
    return program;
  }

  close(): void {
    this.isClosed = true;
    for (const stream of this.streams) stream.destroy();
    // A request that waits for a socket would get a new one.
    for (const request of this.outgoing) request.destroy(new Error(CLOSED));
    for (const { requests, watches } of this.sessions) {
      requests.destroy();
      watches.destroy();
    }
  }

  private addressOf(path: string, scheme: 'http' | 'ws'): URL {
    const { server } = this.access;
    const address = new URL(`${server.origin}${server.pathname.replace(/\/$/, '')}${path}`);
    address.protocol = `${scheme}${server.protocol === 'https:' ? 's' : ''}:`;
    return address;
  }

  private socketOptions({ tls, credentials }: Session): ClientOptions {
    const { proxy } = this.access;
    const agent = proxy && { agent: proxyAgent(proxy, {}) };
    return { ...tls, ...agent, headers: credentials.headers as Record<string, string> };
  }

  /** The session of the credentials that are valid now. @throws as `ServerAccess.credentials` */
  private async session(): Promise<Session> {
    const credentials = await this.access.credentials();
    if (this.isClosed) throw new Error(CLOSED);
    if (this.current?.credentials === credentials) return this.current;
    for (const session of this.sessions) this.retire(session);
    const { certificate: cert, key } = credentials;
    const tls: TlsOptions = { ...this.access.tls, ...(cert === undefined ? {} : { cert, key }) };
    const maxSockets = this.budget ? MAX_REQUESTS_ELSEWHERE : MAX_REQUESTS;
    const requests = this.agent({ maxSockets, ...tls });
    this.current = { credentials, requests, watches: this.agent(tls), tls };
    this.sessions.add(this.current);
    return this.current;
  }

  private agent(options: AgentOptions): HttpAgent {
    const { proxy, server } = this.access;
    const kept = { keepAlive: true, ...options };
    // Its own options are for the connection to the proxy, which has another certificate.
    if (proxy) return proxyAgent(proxy, { keepAlive: true, maxSockets: options.maxSockets });
    return server.protocol === 'https:' ? new Agent(kept) : new HttpAgent(kept);
  }

  /** Watches go on with the credentials that they were opened with, as the server allows. */
  private retire(session: Session): void {
    for (const agent of [session.requests, session.watches]) {
      for (const socket of Object.values(agent.freeSockets).flat()) socket?.destroy();
      agent.maxFreeSockets = 0;
    }
    const isUnused =
      Object.keys(session.watches.sockets).length + Object.keys(session.requests.sockets).length === 0;
    if (isUnused) this.sessions.delete(session);
  }

  /** Opens a WebSocket, once more if the server rejects credentials that have expired. */
  private async upgrade<Opened extends object>(
    path: string,
    open: (address: URL, options: ClientOptions) => Promise<Opened>,
  ): Promise<Opened> {
    const attempt = async (): Promise<{ session: Session; opened: Opened }> => {
      const session = await this.session();
      return { session, opened: await open(this.addressOf(path, 'ws'), this.socketOptions(session)) };
    };
    const { session, opened } = await attempt();
    const isExpired =
      'status' in opened && opened.status === 401 && this.access.refused?.(session.credentials);
    return isExpired ? (await attempt()).opened : opened;
  }

  /** @throws Error if the connection was closed meanwhile */
  private keep(stream: Duplex): void {
    if (this.isClosed) {
      stream.destroy();
      throw new Error(CLOSED);
    }
    this.streams.add(stream);
    stream.once('close', () => this.streams.delete(stream));
  }

  /** Waits and repeats what the server rejects because of too many requests, or of credentials that have expired. */
  private async exchange(
    kind: 'requests' | 'watches',
    path: string,
    body: string | undefined,
    signal: AbortSignal,
    { isPatient, ...options }: Omit<RequestOptions, 'headers'> & { headers: Headers; isPatient?: boolean },
  ): Promise<IncomingMessage> {
    let hasNewCredentials = false;
    for (let attempt = 0; ; attempt += 1) {
      await this.budget?.take(signal, isPatient);
      const session = await this.session();
      let response: IncomingMessage;
      try {
        response = await this.once(session, kind, path, body, signal, options);
      } catch (error) {
        if (attempt < MAX_RETRIES && stale.has(error as Error)) continue;
        throw error;
      }
      if (response.statusCode === 401 && !hasNewCredentials && this.access.refused?.(session.credentials)) {
        hasNewCredentials = true;
      } else if (isRetried(response, path) && attempt < MAX_RETRIES) {
        const after = Number(response.headers['retry-after']);
        const waitMs = Math.min(MAX_RETRY_AFTER_S, Math.max(0.1, after || 1)) * 1000;
        await wait(waitMs, undefined, { signal }).catch(() => {
          throw signal.reason as Error;
        });
      } else return response;
      response.resume();
    }
  }

  private async once(
    session: Session,
    kind: 'requests' | 'watches',
    path: string,
    body: string | undefined,
    signal: AbortSignal,
    { headers, ...options }: Omit<RequestOptions, 'headers'> & { headers: Headers },
  ): Promise<IncomingMessage> {
    const { server, proxy } = this.access;
    const request = server.protocol === 'https:' ? requestSecurely : requestPlainly;
    return await new Promise((resolve, reject) => {
      let response: IncomingMessage | undefined;
      const outgoing = request(this.addressOf(path, 'http'), {
        agent: session[kind],
        ...(proxy && session.tls),
        ...options,
        headers: { ...headers, ...session.credentials.headers },
      });
      // Node's own option `signal` also destroys the socket of a complete response, whose error has no listener.
      const abort = (): void => {
        if (!response?.complete) outgoing.destroy(signal.reason as Error);
      };
      this.outgoing.add(outgoing);
      const settle = (): void => {
        this.outgoing.delete(outgoing);
        signal.removeEventListener('abort', abort);
      };
      const respond = guarded((found: IncomingMessage) => {
        response = found;
        found.once('close', settle);
        resolve(found);
      }, reject);
      outgoing.on('response', respond);
      outgoing.on('error', (error: NodeJS.ErrnoException) => {
        settle();
        // As kubectl does, only what changes nothing is repeated.
        const isRead = (options.method ?? 'GET') === 'GET';
        if (isRead && outgoing.reusedSocket && !response && /^(ECONNRESET|EPIPE)$/.test(error.code ?? '')) {
          stale.add(error);
        }
        reject(error);
      });
      outgoing.on('timeout', () => outgoing.destroy(new Error('the server sent nothing for too long')));
      if (signal.aborted) abort();
      else signal.addEventListener('abort', abort);
      outgoing.end(body);
    });
  }

  private async read(response: IncomingMessage): Promise<ApiResponse> {
    const chunks: Buffer[] = [];
    let size = 0;
    const isPacked = response.headers['content-encoding'] === 'gzip';
    // The loop gets its errors.
    const body = isPacked ? pipeline(response, createGunzip(), () => undefined) : response;
    try {
      for await (const chunk of body as AsyncIterable<Buffer>) {
        size += chunk.length;
        if (isPacked) this.unpacked += chunk.length;
        if (size > MAX_RESPONSE || this.unpacked > MAX_UNPACKED) throw new Error('the response is too large');
        chunks.push(chunk);
      }
    } finally {
      if (isPacked) this.unpacked -= size;
    }
    return {
      status: response.statusCode ?? 0,
      text: Buffer.concat(chunks).toString('utf8'),
      warnings: warningsOf(response.headersDistinct['warning'] ?? []),
    };
  }
}

/** As client-go, if the server says when. An eviction that a disruption budget blocks is not repeated. */
function isRetried({ statusCode, headers }: IncomingMessage, path: string): boolean {
  return (
    statusCode === 429 && headers['retry-after'] !== undefined && !path.split('?')[0]?.endsWith('/eviction')
  );
}

/** The texts of `299 - "text"`, of which a header may contain several. */
function warningsOf(headers: readonly string[]): string[] {
  return headers.flatMap((header) =>
    [...header.matchAll(/\b299 \S+ "((?:[^"\\]|\\.)*)"/g)].map(([, text = '']) =>
      text.replace(/\\(.)/g, '$1'),
    ),
  );
}
