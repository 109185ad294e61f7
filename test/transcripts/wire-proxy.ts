import { connect, createServer, type Server, type Socket } from 'node:net';

export interface WireConnection {
  /** The first request. */
  asked: Buffer[];
  answered: Buffer[];
}

/** Stands between a driver and a real engine and keeps every byte that passes, connection by connection. */
export class WireProxy {
  readonly connections: WireConnection[] = [];
  private readonly sockets = new Set<Socket>();

  private constructor(
    private readonly server: Server,
    readonly socket: string,
  ) {}

  static async start(socket: string, engineSocket: string): Promise<WireProxy> {
    const server = createServer((incoming) => proxy.pass(incoming, connect(engineSocket)));
    const proxy = new WireProxy(server, socket);
    await new Promise<void>((resolve) => server.listen(socket, resolve));
    return proxy;
  }

  async stop(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private pass(incoming: Socket, upstream: Socket): void {
    const connection: WireConnection = { asked: [], answered: [] };
    this.connections.push(connection);
    const forward = (from: Socket, to: Socket, kept: Buffer[]): void => {
      this.sockets.add(from);
      from.on('close', () => this.sockets.delete(from));
      from.on('data', (bytes: Buffer) => {
        kept.push(bytes);
        to.write(bytes);
      });
      from.on('end', () => to.end());
      from.on('error', () => to.destroy());
    };
    // Who asked has left; the other way round what came is still on its way.
    incoming.on('close', () => upstream.destroy());
    forward(incoming, upstream, connection.asked);
    forward(upstream, incoming, connection.answered);
  }
}
