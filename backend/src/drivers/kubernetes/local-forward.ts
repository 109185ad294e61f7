import { once } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { pipeline, type Duplex } from 'node:stream';
import { reasonOf } from '../../core/errors/index.js';

/** A browser opens six to a host; a page of figures keeps some more. */
const MAX_CONNECTIONS = 50;

/** A port of this machine that leads elsewhere, for who is on this machine alone. */
export class LocalForward {
  /** Why the last connection failed; null while they succeed. */
  problem: string | null = null;
  private readonly open = new Set<Socket>();

  private constructor(
    private readonly server: Server,
    private readonly connect: () => Promise<Duplex>,
  ) {}

  /**
   * Listens on a free port of the loopback address.
   * @param connect opens what one connection leads to.
   */
  static async listen(connect: () => Promise<Duplex>): Promise<LocalForward> {
    const server = createServer({ pauseOnConnect: true });
    const forward = new LocalForward(server, connect);
    server.on('connection', (socket) => void forward.serve(socket));
    // Nobody waits for what goes wrong with the listener later; each connection tells its own.
    server.on('error', (error) => (forward.problem = reasonOf(error)));
    server.listen({ host: '127.0.0.1', port: 0 });
    await once(server, 'listening');
    return forward;
  }

  get port(): number {
    return (this.server.address() as AddressInfo | null)?.port ?? 0;
  }

  get connections(): number {
    return this.open.size;
  }

  close(): void {
    this.server.close();
    for (const socket of this.open) socket.destroy();
  }

  private async serve(socket: Socket): Promise<void> {
    socket.on('error', () => undefined);
    if (this.open.size >= MAX_CONNECTIONS || !this.server.listening) {
      socket.destroy();
      return;
    }
    this.open.add(socket);
    socket.once('close', () => this.open.delete(socket));
    try {
      const there = await this.connect();
      if (there.errored) throw there.errored;
      if (socket.destroyed) {
        there.destroy();
        return;
      }
      this.problem = null;
      const failed = (error: Error | null | undefined): void => {
        if (error && (error as NodeJS.ErrnoException).code !== 'ERR_STREAM_PREMATURE_CLOSE') {
          this.problem = reasonOf(error);
        }
      };
      pipeline(socket, there, failed);
      pipeline(there, socket, failed);
    } catch (error) {
      this.problem = reasonOf(error);
      socket.destroy();
    }
  }
}
