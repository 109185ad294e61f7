import { once } from 'node:events';
import { createServer, request as sendRequest, type IncomingMessage, type Server } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { text as textOf } from 'node:stream/consumers';
import { WebSocket, WebSocketServer } from 'ws';
import { LOOPBACK } from '../../../backend/src/drivers/kubernetes/forward-address.js';
import { ForwardListener } from '../../../backend/src/drivers/kubernetes/forward-listener.js';

interface ReceivedResponse {
  status: number;
  headers: IncomingMessage['headers'];
  text: string;
}

/** A Pod, a forward to it, and a client of the forward. */
export class ForwardBench {
  pod!: Server;
  sockets!: WebSocketServer;
  proxy!: ForwardListener;
  /** Requests that reached the Pod, including upgrades. */
  received: IncomingMessage[] = [];
  connected = 0;
  private podPort = 0;
  /** Sockets of clients. */
  readonly raw: Socket[] = [];

  async open(): Promise<void> {
    this.received = [];
    this.connected = 0;
    await this.start(createServer());
    this.proxy = await this.listen();
  }

  async close(): Promise<void> {
    this.proxy.close();
    for (const socket of this.raw.splice(0)) socket.destroy();
    for (const client of this.sockets.clients) client.terminate();
    await this.stop();
  }

  listen = (encrypted = false, address = LOOPBACK): Promise<ForwardListener> =>
    ForwardListener.listen(
      {
        name: 'market/shop:80',
        page: { host: 'shop', encrypted },
        isPlain: false,
        hosts: () => [],
        refusal: async () => await Promise.resolve(null),
        connect: this.connectToPod,
      },
      address,
    );

  origin = (): string => this.proxy.url ?? '';
  host = (): string => `shop.localhost:${this.proxy.port}`;

  /** Makes a server the Pod. */
  async start(server: Server): Promise<void> {
    this.pod = server;
    this.sockets = new WebSocketServer({ server });
    this.sockets.on('connection', (socket, request) => {
      this.received.push(request);
      socket.on('message', (message, isBinary) => socket.send(message, { binary: isBinary }));
    });
    server.on('connection', () => (this.connected += 1));
    server.on('request', (request) => this.received.push(request));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    this.podPort = (server.address() as AddressInfo).port;
  }

  /** Ends the Pod. */
  async stop(): Promise<void> {
    this.pod.closeAllConnections();
    await new Promise((resolve) => this.pod.close(resolve));
  }

  /** Like a connection to a Pod, this is not a socket of Node. */
  private readonly connectToPod = async (): Promise<Duplex> => {
    const socket = connect(this.podPort, '127.0.0.1');
    await once(socket, 'connect');
    return Duplex.from({ readable: socket, writable: socket });
  };

  send = async (
    path: string,
    { method = 'GET', headers = {}, body = '' } = {},
  ): Promise<ReceivedResponse> => {
    const request = sendRequest({
      port: this.proxy.port,
      path,
      method,
      agent: false,
      headers: { host: this.host(), ...headers },
    });
    request.end(body);
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    return { status: response.statusCode ?? 0, headers: response.headers, text: await textOf(response) };
  };

  sendRaw = async (request: string): Promise<string> => {
    const socket = connect({ port: this.proxy.port, host: '127.0.0.1', allowHalfOpen: true });
    this.raw.push(socket);
    socket.write(request);
    return await textOf(socket);
  };

  keyPath = (): string => (this.proxy.issueLink() ?? '').slice(this.origin().length);

  cookie = async (): Promise<string> => {
    const { headers } = await this.send(this.keyPath());
    return headers['set-cookie']?.[0]?.split(';')[0] ?? '';
  };

  openSocket = async (headers: Record<string, string>): Promise<WebSocket | number> => {
    const socket = new WebSocket(`ws://127.0.0.1:${this.proxy.port}/live`, {
      headers: { host: this.host(), ...headers },
    });
    return await new Promise((resolve, reject) => {
      socket.once('open', () => resolve(socket));
      socket.once('unexpected-response', (_request, { statusCode }) => resolve(statusCode ?? 0));
      socket.once('error', reject);
    });
  };

  respondWith = (headers: Record<string, string | string[]>, text = 'the page', status = 200): void => {
    this.pod.on('request', (request, response) => {
      request.resume();
      response.writeHead(status, headers).end(text);
    });
  };
}
