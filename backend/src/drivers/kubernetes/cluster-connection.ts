import { Duplex, type Readable } from 'node:stream';
import type { IncomingMessage } from 'node:http';
import { Agent, request, type AgentOptions, type RequestOptions } from 'node:https';
import type { ApiResponse, ApiConnection, ApiRequest, ApiStream } from './api-connection.js';
import type { ClusterKubeconfig } from './cluster-kubeconfig.js';
import { openPort } from './forwarded-port.js';
import { WatchLines } from './watch-lines.js';

/** A healthy API server on this machine answers within milliseconds. */
const DEADLINE_MS = 3000;
/** Ten thousand pods as a table are twenty million; a server that sends more is not one that we know. */
const MAX_ANSWER = 64_000_000;
/** Tables of a whole overview are asked for at once. */
const MAX_REQUESTS = 12;
/** A watch is told every minute that it still follows; one that hears nothing has lost its server. */
const SILENCE_MS = 6 * 60_000;

type TlsOptions = Pick<RequestOptions, 'ca' | 'cert' | 'key'>;

/** One cluster's API server, reached as its kubeconfig says, over connections that stay open. */
export class ClusterConnection implements ApiConnection {
  private readonly ports = new Set<Duplex>();

  private constructor(
    private readonly server: URL,
    private readonly requests: Agent,
    /** Each watch holds its socket for minutes: on an agent of their own they keep nobody waiting. */
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
    const answer = await this.exchange(
      this.requests,
      path,
      body,
      signal ? AbortSignal.any([deadline, signal]) : deadline,
      {
        method,
        headers: {
          accept,
          // Without a length Node sends a DELETE's body as if it were the next request.
          ...(body === undefined
            ? {}
            : { 'content-type': contentType, 'content-length': Buffer.byteLength(body) }),
        },
      },
    );
    return await fullResponse(answer);
  }

  async stream({ path, accept = 'application/json', signal, onLine }: ApiStream): Promise<ApiResponse> {
    try {
      const answer = await this.exchange(this.watches, path, undefined, signal, {
        headers: { accept },
        timeout: SILENCE_MS,
      });
      if (answer.statusCode !== 200) return await fullResponse(answer);
      const lines = new WatchLines(onLine);
      answer.setEncoding('utf8');
      for await (const piece of answer) lines.push(piece as string);
    } catch (error) {
      // It was asked to end.
      if (!signal.aborted) throw error;
    }
    return { status: 200, text: '' };
  }

  async open(path: string, signal: AbortSignal): Promise<Readable | ApiResponse> {
    // Of a program that says nothing, nothing is heard for hours: only the server's end of the connection tells.
    const answer = await this.exchange(this.watches, path, undefined, signal, { headers: { accept: '*/*' } });
    return answer.statusCode === 200 ? answer : await fullResponse(answer);
  }

  async forward(path: string): Promise<Duplex | ApiResponse> {
    const address = new URL(path, this.server);
    address.protocol = 'wss:';
    const port = await openPort(address, { ...this.tls, headers: this.credentials });
    if (port instanceof Duplex) {
      this.ports.add(port);
      port.once('close', () => this.ports.delete(port));
    }
    return port;
  }

  close(): void {
    for (const port of this.ports) port.destroy();
    this.requests.destroy();
    this.watches.destroy();
  }

  private async exchange(
    agent: Agent,
    path: string,
    body: string | undefined,
    signal: AbortSignal,
    { headers, ...options }: Omit<RequestOptions, 'headers'> & { headers: Record<string, string | number> },
  ): Promise<IncomingMessage> {
    return await new Promise((resolve, reject) => {
      let answer: IncomingMessage | undefined;
      const outgoing = request(new URL(path, this.server), {
        agent,
        ...options,
        headers: { ...headers, ...this.credentials },
      });
      // Not by Node's own option: it destroys the socket of an answer that is whole, on which nobody listens
      // for errors any more.
      const abort = (): void => {
        if (!answer?.complete) outgoing.destroy(signal.reason as Error);
      };
      const settle = (): void => signal.removeEventListener('abort', abort);
      outgoing.on('response', (found) => {
        answer = found;
        found.once('close', settle);
        resolve(found);
      });
      outgoing.on('error', (error) => {
        settle();
        reject(error);
      });
      outgoing.on('timeout', () => outgoing.destroy(new Error('nothing was heard for too long')));
      if (signal.aborted) abort();
      else signal.addEventListener('abort', abort);
      outgoing.end(body);
    });
  }
}

function decoded(base64: string): Buffer {
  return Buffer.from(base64, 'base64');
}

async function fullResponse(answer: IncomingMessage): Promise<ApiResponse> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_ANSWER) throw new Error('the answer is too large');
    chunks.push(chunk);
  }
  return {
    status: answer.statusCode ?? 0,
    text: Buffer.concat(chunks).toString('utf8'),
    warnings: warningsOf(answer.headersDistinct['warning'] ?? []),
  };
}

/** The texts of `299 - "text"`, of which a header may hold several. */
function warningsOf(headers: readonly string[]): string[] {
  return headers.flatMap((header) =>
    [...header.matchAll(/\b299 \S+ "((?:[^"\\]|\\.)*)"/g)].map(([, text = '']) =>
      text.replace(/\\(.)/g, '$1'),
    ),
  );
}
