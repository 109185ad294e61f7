import type { IncomingMessage } from 'node:http';
import { text as readText } from 'node:stream/consumers';
import type { Operations as DashboardOperations } from '../../../../../.cache/api/dashboard.js';
import type { Operations as LogBoardOperations } from '../../../../../.cache/api/log-board.js';
import type { ErrorDto } from '../../../core/api/index.js';
import { reasonOf } from '../../../core/errors/reason-of.js';
import { jsonValue, parseJson } from '../../../core/parsing/index.js';
import { isRecord } from '../../../core/values/index.js';
import type { ConfigProblem } from '../../../modules/kind-config/index.js';
import { CliError, EXIT, type ExitStatus } from '../cli-error.js';
import type { Server } from './server.js';

/** A server that is silent for longer does not respond. Deleting a cluster responds after 30 s at the latest. */
const SILENCE_MS = 60_000;

const STATUS_EXITS: Readonly<Record<number, ExitStatus>> = {
  400: EXIT.usage,
  401: EXIT.notAllowed,
  403: EXIT.notAllowed,
  404: EXIT.notFound,
  422: EXIT.usage,
};

/** The advice of the API, to sign in, is for the pages. */
const OWNER_ONLY =
  'An access token cannot manage sessions and access tokens. Run this command without a token, as the user who runs Slipway and on the same machine.';

/** Routes of both applications with what they take and return. */
type Operations = DashboardOperations & LogBoardOperations;
export type Route = keyof Operations;
type Path = Route extends infer TRoute ? (TRoute extends `GET ${infer TPath}` ? TPath : never) : never;
/** Of the path and the query of a route. */
type Params<TRoute extends Route> = Operations[TRoute]['params'];
type Body<TRoute extends Route> = Operations[TRoute]['body'];
export type Response<TRoute extends Route> = Operations[TRoute]['response'];
type Reading<TPath extends Path> =
  object extends Params<`GET ${TPath}`>
    ? [params?: Params<`GET ${TPath}`>]
    : [params: Params<`GET ${TPath}`>];

type Value = string | number | boolean;

/** An error response of the API. */
export class ApiError extends CliError {
  constructor(
    message: string,
    status: ExitStatus,
    readonly code: string,
  ) {
    super(message, status);
  }
}

/** The API of one application. All methods throw CliError with a message for the user. */
export class ApiClient {
  constructor(readonly server: Server) {}

  async get<TPath extends Path>(path: TPath, ...[params]: Reading<TPath>): Promise<Response<`GET ${TPath}`>> {
    return this.parse(await this.textOf('GET', path, params)) as Response<`GET ${TPath}`>;
  }

  async text<TPath extends Path>(path: TPath, ...[params]: Reading<TPath>): Promise<string> {
    return await this.textOf('GET', path, params);
  }

  /** The body of a response. */
  async stream<TPath extends Path>(path: TPath, ...[params]: Reading<TPath>): Promise<IncomingMessage> {
    return await this.open('GET', path, params);
  }

  async send<TRoute extends Route>(
    route: TRoute,
    params: Params<TRoute>,
    body?: Body<TRoute>,
  ): Promise<Response<TRoute>> {
    const [method = '', path = ''] = route.split(' ');
    const text = await this.textOf(method, path, params, body);
    return (text === '' ? null : this.parse(text)) as Response<TRoute>;
  }

  private async textOf(...request: Parameters<ApiClient['open']>): Promise<string> {
    return await readText(await this.open(...request)).catch((error: unknown) => {
      throw this.unreachable(error);
    });
  }

  /** @param params those that the path does not name are the query; values become one segment each */
  private async open(
    method: string,
    path: string,
    params: object = {},
    body?: object,
  ): Promise<IncomingMessage> {
    const query: Record<string, Value | Value[] | undefined> = { ...params };
    const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
      const value = String(query[name]);
      Reflect.deleteProperty(query, name);
      return encodeURIComponent(value);
    });
    const url = new URL(this.server.url + filled);
    for (const [name, value] of Object.entries(query)) {
      for (const one of [value ?? []].flat()) url.searchParams.append(name, String(one));
    }
    const response = await this.request(url, method, body);
    const { statusCode = 0, headers } = response;
    if (statusCode >= 200 && statusCode < 300) return response;
    const sent = jsonValue(await readText(response).catch(() => ''));
    if (isErrorDto(sent)) throw errorOf(sent, this.server.token !== undefined);
    throw this.foreign(
      `it responded with status ${statusCode} (${headers['content-type'] ?? 'no content type'})`,
    );
  }

  private parse(text: string): unknown {
    try {
      return parseJson(text);
    } catch {
      throw this.foreign('its response is not JSON');
    }
  }

  /** @param reason never what the server says: it can be anything. */
  private foreign(reason: string): CliError {
    return new CliError(`The server at ${this.server.url} is not Slipway: ${reason}.`, EXIT.unreachable);
  }

  private async request(url: URL, method: string, body: object | undefined): Promise<IncomingMessage> {
    const { token, tls } = this.server;
    const content = body && Buffer.from(JSON.stringify(body));
    const headers = {
      accept: 'application/json, */*',
      'user-agent': 'slipway-cli',
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(content && { 'content-type': 'application/json', 'content-length': content.byteLength }),
    };
    // On demand: they take 100 ms, which help does not need.
    const { request } = await (url.protocol === 'https:' ? import('node:https') : import('node:http'));
    return await new Promise((resolve, reject) => {
      const sending = request(url, { method, headers, timeout: SILENCE_MS, ...tls }, resolve);
      sending.on('timeout', () => sending.destroy(new Error('it did not respond in time')));
      sending.on('error', (error) => reject(this.unreachable(error)));
      sending.end(content);
    });
  }

  private unreachable(error: unknown): CliError {
    const isRefused = (error as NodeJS.ErrnoException).code === 'ECONNREFUSED';
    if (isRefused && this.server.whenRefused) return this.server.whenRefused;
    const reason = isRefused ? 'the connection was refused' : reasonOf(error);
    return new CliError(
      `Could not reach Slipway at ${this.server.url}: ${reason}. Check that it is running: slipway status`,
      EXIT.unreachable,
    );
  }
}

function errorOf({ statusCode, code, message, details }: ErrorDto, hasToken: boolean): ApiError {
  const status = STATUS_EXITS[statusCode] ?? EXIT.failed;
  if (code === 'config_refused') return new ApiError(configError(message, details), status, code);
  if (code === 'insufficient_scope' && message.includes('cannot manage sessions')) {
    return new ApiError(OWNER_ONLY, status, code);
  }
  if (code !== 'unauthorized') return new ApiError(message, status, code);
  return new ApiError(
    hasToken
      ? 'The server rejected the token. It is wrong, expired or revoked. Create another with: slipway token create'
      : 'The server requires a token. Set SLIPWAY_TOKEN, or pass --token.',
    status,
    code,
  );
}

/** All problems of a config; the message has only the first. */
function configError(message: string, details: unknown): string {
  if (!Array.isArray(details) || details.length < 2) return message;
  const problems = (details as ConfigProblem[]).map(
    ({ line, path: where, problem }) => `  Line ${line}: ${where || 'the document'} ${problem}.`,
  );
  return ['Invalid config.', ...problems].join('\n');
}

function isErrorDto(value: unknown): value is ErrorDto {
  return isRecord(value) && typeof value['message'] === 'string' && typeof value['code'] === 'string';
}
