import { Duplex, type Readable } from 'node:stream';
import type { IncomingMessage } from 'node:http';
import { Agent, request, type AgentOptions, type RequestOptions } from 'node:https';
import { guarded } from '../../core/errors/index.js';
import type { RunningProgram } from '../runtime/index.js';
import type { ApiResponse, ApiConnection, ApiRequest, ApiStream } from './api-connection.js';
import type { ClusterKubeconfig } from './cluster-kubeconfig.js';
import { openPort } from './forwarded-port.js';
import { openProgram } from './pod-program.js';
import { WatchLines } from './watch-lines.js';

/** A healthy API server on this machine responds within milliseconds. */
const DEADLINE_MS = 3000;
/** The table of 10,000 Pods has 20 MB. */
const MAX_RESPONSE = 64_000_000;
/** The overview requests several tables concurrently. */
const MAX_REQUESTS = 12;
/** The server sends a bookmark every minute, so a silent watch has lost its connection. */
const SILENCE_MS = 6 * 60_000;

type Headers = Record<string, string | number>;
type TlsOptions = Pick<RequestOptions, 'ca' | 'cert' | 'key'>;

export class ClusterConnection implements ApiConnection {
  /** Connections to ports and programs. */
  private readonly streams = new Set<Duplex>();

  private constructor(
    private readonly server: URL,
    private readonly requests: Agent,
    /** Watches hold their sockets for minutes, so a separate agent keeps them from blocking requests. */
    private readonly watches: Agent,
    private readonly tls: TlsOptions,
    private readonly credentials: { authorization?: string },
  ) {}

  static open({ endpoint, user }: ClusterKubeconfig): ClusterConnection {
    const { 'client-certificate-data': cert, 'client-key-data': key, token } = user;
    const tls: TlsOptions = {
      ca: decoded(endpoint.certificateAuthority),
      ...(cert === undefined || key === undefined ? {} : { cert: decoded(cert), key: decoded(key) }),
    };
    const agent = (more: AgentOptions): Agent => new Agent({ keepAlive: true, ...tls, ...more });
    return new ClusterConnection(
      new URL(endpoint.server),
      agent({ maxSockets: MAX_REQUESTS }),
      agent({}),
      tls,
      token === undefined ? {} : { authorization: `Bearer ${token}` },
    );
  }

  async send({
    method = 'GET',
    path,
    accept = 'application/json',
    contentType = 'application/json',
    body,
    deadlineMs = DEADLINE_MS,
    signal,
  }: ApiRequest): Promise<ApiResponse> {
    const deadline = AbortSignal.timeout(deadlineMs);
    const either = signal ? AbortSignal.any([deadline, signal]) : deadline;
    const headers: Headers = { accept };
    // Without a length, Node sends the body of a DELETE as if it were the next request.
    if (body !== undefined) {
      Object.assign(headers, { 'content-type': contentType, 'content-length': Buffer.byteLength(body) });
    }
    return await fullResponse(await this.exchange(this.requests, path, body, either, { method, headers }));
  }

  async stream({ path, accept = 'application/json', signal, onLine }: ApiStream): Promise<ApiResponse> {
    try {
      const response = await this.exchange(this.watches, path, undefined, signal, {
        headers: { accept },
        timeout: SILENCE_MS,
      });
      if (response.statusCode !== 200) return await fullResponse(response);
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
    const response = await this.exchange(this.watches, path, undefined, signal, {
      headers: { accept: '*/*' },
    });
    return response.statusCode === 200 ? response : await fullResponse(response);
  }

  async forward(path: string): Promise<Duplex | ApiResponse> {
    const port = await openPort(this.socketAddress(path), { ...this.tls, headers: this.credentials });
    if (port instanceof Duplex) this.keep(port);
    return port;
  }

  async exec(path: string): Promise<RunningProgram | ApiResponse> {
    const program = await openProgram(this.socketAddress(path), { ...this.tls, headers: this.credentials });
    if ('stream' in program) this.keep(program.stream);
    return program;
  }

  close(): void {
    for (const stream of this.streams) stream.destroy();
    this.requests.destroy();
    this.watches.destroy();
  }

  private socketAddress(path: string): URL {
    const address = new URL(path, this.server);
    address.protocol = 'wss:';
    return address;
  }

  private keep(stream: Duplex): void {
    this.streams.add(stream);
    stream.once('close', () => this.streams.delete(stream));
  }

  private async exchange(
    agent: Agent,
    path: string,
    body: string | undefined,
    signal: AbortSignal,
    { headers, ...options }: Omit<RequestOptions, 'headers'> & { headers: Headers },
  ): Promise<IncomingMessage> {
    return await new Promise((resolve, reject) => {
      let response: IncomingMessage | undefined;
      const outgoing = request(new URL(path, this.server), {
        agent,
        ...options,
        headers: { ...headers, ...this.credentials },
      });
      // Node's own option `signal` also destroys the socket of a complete response, whose error has no listener.
      const abort = (): void => {
        if (!response?.complete) outgoing.destroy(signal.reason as Error);
      };
      const settle = (): void => signal.removeEventListener('abort', abort);
      const respond = guarded((found: IncomingMessage) => {
        response = found;
        found.once('close', settle);
        resolve(found);
      }, reject);
      outgoing.on('response', respond);
      outgoing.on('error', (error) => {
        settle();
        reject(error);
      });
      outgoing.on('timeout', () => outgoing.destroy(new Error('the server sent nothing for too long')));
      if (signal.aborted) abort();
      else signal.addEventListener('abort', abort);
      outgoing.end(body);
    });
  }
}

function decoded(base64: string): Buffer {
  return Buffer.from(base64, 'base64');
}

async function fullResponse(response: IncomingMessage): Promise<ApiResponse> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_RESPONSE) throw new Error('the response is too large');
    chunks.push(chunk);
  }
  return {
    status: response.statusCode ?? 0,
    text: Buffer.concat(chunks).toString('utf8'),
    warnings: warningsOf(response.headersDistinct['warning'] ?? []),
  };
}

/** The texts of `299 - "text"`, of which a header may contain several. */
function warningsOf(headers: readonly string[]): string[] {
  return headers.flatMap((header) =>
    [...header.matchAll(/\b299 \S+ "((?:[^"\\]|\\.)*)"/g)].map(([, text = '']) =>
      text.replace(/\\(.)/g, '$1'),
    ),
  );
}
