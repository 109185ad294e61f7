import { createServer as createHttpServer } from 'node:http';
import { connect, createServer, isIPv4, type AddressInfo, type Server, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';

const VERSION = 5;
const NO_AUTHENTICATION = [VERSION, 0];
const SUCCEEDED = [VERSION, 0, 0, 1, 0, 0, 0, 0, 0, 0];
const IPV4 = 1;
const DOMAIN = 3;

/** A proxy on loopback that counts its connections. It resolves every host name to 127.0.0.1. */
export class CountingProxy {
  /** Requested hosts, such as `api.test:6443`. */
  readonly requested: string[] = [];
  private readonly clients = new Set<Duplex>();

  private constructor(
    private readonly scheme: 'http' | 'socks5',
    private readonly server: Server,
  ) {}

  static async start(scheme: 'http' | 'socks5'): Promise<CountingProxy> {
    const server = scheme === 'http' ? createHttpServer() : createServer();
    const proxy = new CountingProxy(scheme, server);
    if (scheme === 'http') {
      server.on('connect', ({ url = '' }: { url?: string }, client: Duplex) =>
        proxy.tunnel(client, url, 'HTTP/1.1 200 Connection established\r\n\r\n'),
      );
    } else server.on('connection', (client: Socket) => proxy.greet(client));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return proxy;
  }

  get url(): string {
    return `${this.scheme}://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Connections that are open. */
  get open(): number {
    return this.clients.size;
  }

  async stop(): Promise<void> {
    for (const client of this.clients) client.destroy();
    await new Promise((resolve) => this.server.close(resolve));
  }

  /** SOCKS 5 without authentication, for which each message of the client arrives whole on loopback. */
  private greet(client: Socket): void {
    client.on('error', () => client.destroy());
    client.once('data', () => {
      client.write(Buffer.from(NO_AUTHENTICATION));
      client.once('data', (request) => {
        const isName = request[3] === DOMAIN;
        if (!isName && request[3] !== IPV4) {
          client.destroy();
          return;
        }
        const end = isName ? 5 + (request[4] ?? 0) : 8;
        const host = isName ? request.toString('latin1', 5, end) : request.subarray(4, end).join('.');
        this.tunnel(client, `${host}:${request.readUInt16BE(end)}`, Buffer.from(SUCCEEDED));
      });
    });
  }

  private tunnel(client: Duplex, address: string, accepted: string | Buffer): void {
    this.requested.push(address);
    const [host = '', port] = address.split(':');
    const server = connect(Number(port), isIPv4(host) ? host : '127.0.0.1');
    this.clients.add(client);
    client.once('close', () => {
      this.clients.delete(client);
      server.destroy();
    });
    client.on('error', () => client.destroy());
    for (const event of ['error', 'close']) server.on(event, () => client.destroy());
    server.once('connect', () => {
      client.write(accepted);
      client.pipe(server).pipe(client);
    });
  }
}
