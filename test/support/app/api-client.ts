import { Agent, request as sendRequest, type IncomingHttpHeaders } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';

/** Far longer than any response takes. */
const SILENCE_MS = 90_000;

export interface ApiRequest {
  headers?: Record<string, string | string[]>;
  /** Its local address. */
  from?: string;
  /** Sent as it is: with a type of its own in `headers`, or as JSON. */
  text?: string | Buffer;
  /** Sent as JSON. */
  body?: unknown;
}

export interface ApiResponse {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
  bytes: Buffer;
  /** The parsed body; `undefined` where it is not JSON. */
  body: unknown;
}

/** The body of every error response. */
export interface ErrorResponse {
  statusCode: number;
  error: string;
  message: string;
  code: string;
  details: unknown;
  request_id: string;
}

/**
 * An HTTP client of the dashboard that sends paths exactly as given: `fetch` normalizes `..` and does not allow a
 * forged Host.
 */
export class ApiClient {
  /** Added to each request. */
  headers: Record<string, string> = {};
  // Connections are kept: the server looks up the owner of each new one. The agent drops an idle one a second before
  // the server would (its Keep-Alive header), so none is closed at the moment of its reuse.
  private readonly agent = new Agent({ keepAlive: true });

  /** @param inspect called with each response; an error of it fails the call. */
  constructor(
    readonly port: number,
    private readonly inspect?: (method: string, path: string, response: ApiResponse) => void,
  ) {}

  async send(
    method: string,
    path: string,
    { headers = {}, from, text, body }: ApiRequest = {},
  ): Promise<ApiResponse> {
    const payload = text ?? (body === undefined ? undefined : JSON.stringify(body));
    const all: Record<string, string | string[]> = { host: `localhost:${this.port}` };
    if (payload !== undefined) {
      all['content-type'] = 'application/json';
      all['content-length'] = String(Buffer.byteLength(payload));
    }
    for (const [name, value] of Object.entries({ ...this.headers, ...headers })) {
      all[name.toLowerCase()] = value;
    }
    const response = await new Promise<ApiResponse>((resolve, reject) => {
      const outgoing = sendRequest(
        {
          host: '127.0.0.1',
          localAddress: from,
          port: this.port,
          method,
          path,
          headers: all,
          agent: this.agent,
          setHost: false,
        },
        (incoming) => {
          const chunks: Buffer[] = [];
          incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
          incoming.on('error', reject);
          incoming.on('end', () => {
            const bytes = Buffer.concat(chunks);
            resolve({
              status: incoming.statusCode ?? 0,
              headers: incoming.headers,
              text: bytes.toString('utf8'),
              bytes,
              body:
                bytes.length > 0 && /^application\/json(;|$)/.test(incoming.headers['content-type'] ?? '')
                  ? JSON.parse(bytes.toString('utf8'))
                  : undefined,
            });
          });
        },
      );
      outgoing.on('error', reject);
      // A socket that opens where a response was expected is closed: the test sees its status.
      outgoing.on('upgrade', ({ statusCode = 0, headers: received }, socket) => {
        socket.destroy();
        resolve({ status: statusCode, headers: received, text: '', bytes: Buffer.alloc(0), body: undefined });
      });
      outgoing.setTimeout(SILENCE_MS, () => {
        outgoing.destroy(new Error(`${method} ${path} was silent for ${SILENCE_MS} ms`));
      });
      outgoing.end(payload);
    });
    this.inspect?.(method, path, response);
    return response;
  }

  async get<TBody = Record<string, unknown>>(path: string): Promise<TBody> {
    let response = await this.send('GET', path);
    // Right after a start, or when an engine is new.
    while ((response.body as Partial<ErrorResponse> | undefined)?.code === 'looking_for_engines') {
      await delay(50);
      response = await this.send('GET', path);
    }
    if (response.status !== 200) throw new Error(`GET ${path} returned ${response.status}: ${response.text}`);
    return response.body as TBody;
  }

  /** Polls until `found` returns true. @throws Error with the last response when that takes too long. */
  async until<TBody = Record<string, unknown>>(
    path: string,
    found: (body: TBody) => boolean,
    withinMs = 30_000,
  ): Promise<TBody> {
    const start = performance.now();
    for (;;) {
      const body = await this.get<TBody>(path);
      if (found(body)) return body;
      const waited = performance.now() - start;
      if (waited > withinMs) {
        throw new Error(`${path} did not become as expected: ${JSON.stringify(body).slice(0, 2000)}`);
      }
      // On a busy machine, frequent polling slows down what it waits for.
      await delay(waited < 1000 ? 50 : 100);
    }
  }

  close(): void {
    this.agent.destroy();
  }
}
