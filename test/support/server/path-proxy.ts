import { createServer, request, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';

/** An application that a proxy serves below a path. */
export interface ProxiedPath {
  path: string;
  port: number;
}

/** A proxy on loopback that serves applications below paths of one host. */
export class PathProxy {
  private constructor(
    private readonly server: Server,
    private readonly routes: readonly ProxiedPath[],
    private readonly removesPath: boolean,
  ) {
    server.on('request', (incoming: IncomingMessage, response) => {
      const outgoing = this.pass(incoming);
      if (!outgoing) {
        response.writeHead(404).end();
        return;
      }
      outgoing.on('response', (reply) => {
        response.writeHead(reply.statusCode ?? 502, reply.rawHeaders);
        reply.pipe(response);
      });
      outgoing.on('error', () => response.destroy());
      incoming.pipe(outgoing);
    });
    server.on('upgrade', (incoming: IncomingMessage, client: Duplex) => this.upgrade(incoming, client));
  }

  /** @param removesPath whether the applications get requests without the path */
  static async start(routes: readonly ProxiedPath[], removesPath: boolean, port = 0): Promise<PathProxy> {
    const proxy = new PathProxy(createServer(), routes, removesPath);
    await new Promise<void>((resolve) => proxy.server.listen(port, '127.0.0.1', resolve));
    return proxy;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private pass(incoming: IncomingMessage): ReturnType<typeof request> | undefined {
    const { url = '', method, headers, socket } = incoming;
    const route = this.routes.find(({ path }) => url === path || url.startsWith(`${path}/`));
    if (!route) return undefined;
    const path = this.removesPath ? url.slice(route.path.length) || '/' : url;
    return request({
      host: '127.0.0.1',
      port: route.port,
      path,
      method,
      headers: { ...headers, 'x-forwarded-for': socket.remoteAddress, 'x-forwarded-proto': 'http' },
    });
  }

  private upgrade(incoming: IncomingMessage, client: Duplex): void {
    const outgoing = this.pass(incoming);
    outgoing?.on('upgrade', ({ rawHeaders }, server, head) => {
      const lines = rawHeaders.map((text, index) => (index % 2 === 0 ? `${text}: ` : `${text}\r\n`));
      client.write(`HTTP/1.1 101 Switching Protocols\r\n${lines.join('')}\r\n`);
      client.write(head);
      server.on('error', () => client.destroy());
      server.pipe(client).pipe(server);
    });
    outgoing?.on('response', () => client.destroy());
    outgoing?.on('error', () => client.destroy());
    client.on('error', () => outgoing?.destroy());
    if (outgoing) outgoing.end();
    else client.destroy();
  }
}
