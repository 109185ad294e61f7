import { once } from 'node:events';
import {
  Agent,
  createServer,
  request as sendRequest,
  ServerResponse,
  type ClientRequest,
  type IncomingMessage,
} from 'node:http';
import type { Socket } from 'node:net';
import { pipeline, type Duplex } from 'node:stream';
import { connect as connectTls } from 'node:tls';
import { asSentence, reasonOf, guarded } from '../../core/errors/index.js';
import { hasBody } from '../../core/security/index.js';
import type { ForwardGate } from './forward-gate.js';
import { requestHeaders, responseHeaders, type Addresses } from './forward-headers.js';
import { MAX_HEADER_BYTES } from './forward-requests.js';
import { ownHeaders, type OwnResponse } from './own-response.js';

/** A browser opens six per host, and one per WebSocket. */
export const MAX_CONNECTIONS = 50;
const IDLE_CONNECTION_MS = 65_000;
/** Less than the 5 s after which Node servers close an idle connection. */
const IDLE_STREAM_MS = 4000;
/** Time for the head of a request. */
export const HEADERS_MS = 10_000;
const TLS_HANDSHAKE_MS = 10_000;
const CHECK_MS = 2000;

export interface ForwardTarget {
  /** For error pages. */
  name: string;
  /** Whether the Pod uses HTTPS on the port. */
  encrypted: boolean;
  connect: () => Promise<Duplex>;
}

/** The connection of a WebSocket, and the first bytes after its request. */
interface Upgrade {
  socket: Socket;
  head: Buffer;
}

/** A reverse proxy for a web page in a cluster, for browsers that opened it through a link of Slipway. */
export class ForwardProxy {
  /** Why the last request failed; null if it succeeded. */
  problem: string | null = null;
  private readonly streams = new StreamAgent(async () => await this.connect());
  private readonly server = createServer({
    headersTimeout: HEADERS_MS,
    connectionsCheckingInterval: CHECK_MS,
    keepAliveTimeout: IDLE_CONNECTION_MS,
    // Uploads have no time limit. Rejected requests end their connection.
    requestTimeout: 0,
    maxHeaderSize: MAX_HEADER_BYTES,
    // Upgrades to other protocols, such as HTTP/2, must be ignored (RFC 9110, 7.8).
    shouldUpgradeCallback: ({ headers }) => headers.upgrade?.toLowerCase() === 'websocket',
  });
  /** Connections, the oldest first, and whether the gate has admitted a request on each. */
  private readonly clients = new Map<Socket, boolean>();
  private isClosed = false;

  /** @param gate may be replaced: the next request needs the new one */
  constructor(
    private readonly target: ForwardTarget,
    public gate: ForwardGate,
  ) {
    this.server.on('request', (request, response) => this.serve(request, response));
    const upgrade = guarded(
      (request: IncomingMessage, socket: Duplex, head: Buffer) =>
        this.serveUpgrade(request, socket as Socket, head),
      (error) => (this.problem = reasonOf(error)),
    );
    this.server.on('upgrade', upgrade);
    // It never listens itself; this starts its check of timeouts.
    this.server.emit('listening');
  }

  /** Serves the requests of a connection, which may have been read in part and put back. */
  accept(client: Socket): void {
    if (this.clients.size >= MAX_CONNECTIONS) {
      // Otherwise, other users of the machine could hold all of them.
      const [dropped = client] = [...this.clients].find(([, isAdmitted]) => !isAdmitted) ?? [];
      dropped.destroy();
      this.clients.delete(dropped);
      if (dropped === client) return;
    }
    this.clients.set(client, false);
    client.once('close', () => this.clients.delete(client));
    this.server.emit('connection', client);
  }

  /** Without the connections that it accepted. */
  close(): void {
    this.isClosed = true;
    this.server.close();
    this.streams.destroy();
  }

  private serve(request: IncomingMessage, response: ServerResponse, upgrade?: Upgrade): void {
    const own = this.gate.check(request);
    if (own) {
      respond(response, own);
      return;
    }
    if (this.clients.has(request.socket)) this.clients.set(request.socket, true);
    this.forward(request, response, upgrade);
  }

  private serveUpgrade(request: IncomingMessage, socket: Socket, head: Buffer): void {
    socket.on('error', () => socket.destroy());
    const response = new ServerResponse(request);
    response.shouldKeepAlive = false;
    try {
      response.assignSocket(socket);
    } catch {
      // An earlier request on the connection is still waiting for its response.
      socket.destroy();
      return;
    }
    response.once('finish', () => socket.destroySoon());
    this.serve(request, response, { socket, head });
  }

  private forward(request: IncomingMessage, response: ServerResponse, upgrade?: Upgrade): void {
    const browser = this.gate.originFor(request.headers['user-agent']);
    const pod = this.target.encrypted ? browser.replace('http:', 'https:') : browser;
    const addresses: Addresses = { browser, pod, isShared: browser !== this.gate.origin };
    let outgoing: ClientRequest;
    try {
      outgoing = sendRequest({
        agent: this.streams,
        method: request.method,
        path: request.url,
        headers: requestHeaders(request, addresses, upgrade !== undefined),
        maxHeaderSize: MAX_HEADER_BYTES,
      });
    } catch (error) {
      this.fail(response, error);
      return;
    }
    const failed = (error: unknown): void => {
      outgoing.destroy();
      this.fail(response, error);
    };
    const respond = guarded((answer: IncomingMessage) => {
      const headers = responseHeaders(answer, addresses);
      response.writeHead(answer.statusCode ?? 0, answer.statusMessage, headers);
      this.problem = null;
      pipeline(answer, response, () => undefined);
    }, failed);
    outgoing.once('response', respond);
    const joinUpgrade = guarded((answer: IncomingMessage, stream: Duplex, start: Buffer) => {
      if (upgrade) {
        this.problem = null;
        response.detachSocket(upgrade.socket);
        join(upgrade, { stream, start, headers: responseHeaders(answer, addresses) });
      } else {
        stream.destroy();
        this.fail(response, new Error('The Pod switched to another protocol.'));
      }
    }, failed);
    outgoing.once('upgrade', joinUpgrade);
    // Node may report the end of a connection twice.
    outgoing.on('error', () => undefined);
    outgoing.once('error', (error) => {
      // The Pod may close an idle connection just when it is reused.
      const isStale = outgoing.reusedSocket && request.method === 'GET' && !hasBody(request);
      if (isStale && !response.headersSent && !response.destroyed) this.forward(request, response, upgrade);
      else this.fail(response, error);
    });
    // Discard the rest of a body that the Pod did not read, so that the connection can be reused.
    outgoing.once('close', () => request.resume());
    response.once('close', () => {
      if (!response.writableFinished) outgoing.destroy();
    });
    request.pipe(outgoing);
  }

  private fail(response: ServerResponse, error: unknown): void {
    // The browser has disconnected, or the response has started.
    if (response.destroyed || response.headersSent) return;
    this.problem = reasonOf(error);
    respond(response, {
      status: 502,
      text: `Could not reach ${this.target.name}. ${asSentence(this.problem)}\nCheck that its Pod is running, and reload the page.`,
    });
  }

  private async connect(): Promise<Duplex> {
    const stream = await this.target.connect();
    // The request on the stream reports the error; an idle stream has no other listener.
    stream.on('error', () => undefined);
    if (stream.errored) throw stream.errored;
    if (this.isClosed) {
      stream.destroy();
      throw new Error('The port-forward is closed.');
    }
    if (!this.target.encrypted) return stream;
    return await encrypt(stream);
  }
}

/** Keeps connections to the Pod for the next requests, since opening one takes several calls to the API server. */
class StreamAgent extends Agent {
  private readonly idle = new WeakMap<Duplex, NodeJS.Timeout>();

  constructor(private readonly connect: () => Promise<Duplex>) {
    super({ keepAlive: true });
  }

  override createConnection(
    _options: unknown,
    done?: (error: Error | null, stream: Duplex) => void,
  ): undefined {
    this.connect().then(
      // Node calls `ref` before it reuses a connection, but only sockets have this method.
      (stream) => done?.(null, Object.assign(stream, { ref: () => stream })),
      (error: unknown) => (done as ((error: unknown) => void) | undefined)?.(error),
    );
  }

  override keepSocketAlive(stream: Duplex): boolean {
    this.idle.set(stream, setTimeout(() => stream.destroy(), IDLE_STREAM_MS).unref());
    return true;
  }

  override reuseSocket(stream: Duplex, request: ClientRequest): void {
    clearTimeout(this.idle.get(stream));
    super.reuseSocket(stream, request);
  }
}

/** The Pod has a self-signed certificate; the API server authenticates the connection to the Pod. */
async function encrypt(stream: Duplex): Promise<Duplex> {
  const socket = connectTls({ socket: stream, rejectUnauthorized: false, ALPNProtocols: ['http/1.1'] });
  socket.on('error', () => undefined);
  stream.once('error', (error) => socket.destroy(error));
  socket.once('close', () => stream.destroy());
  try {
    await once(socket, 'secureConnect', { signal: AbortSignal.timeout(TLS_HANDSHAKE_MS) });
  } catch (error) {
    socket.destroy();
    throw error;
  }
  return socket;
}

function join(
  { socket, head }: Upgrade,
  { stream, start, headers }: { stream: Duplex; start: Buffer; headers: string[] },
): void {
  const lines = headers.map((text, index) => text + (index % 2 === 0 ? ': ' : '\r\n')).join('');
  socket.write(
    `HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n${lines}\r\n`,
    'latin1',
  );
  if (start.length > 0) socket.write(start);
  if (head.length > 0) stream.write(head);
  pipeline(socket, stream, () => undefined);
  pipeline(stream, socket, () => undefined);
}

function respond(response: ServerResponse, own: OwnResponse): void {
  response.writeHead(own.status, ownHeaders(own));
  response.end(own.text);
}
