import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { reasonOf, guarded } from '../../core/errors/index.js';
import { listenOnFreePort, type ForwardAddress } from './forward-address.js';
import { FORWARD_BUFFER } from './forwarded-port.js';
import { OpenSockets, type ForwardTraffic } from './open-sockets.js';

/** Time in which a client can end its side after the Pod closed the connection. */
const CLOSING_MS = 5000;

export interface ListenerTarget {
  /** Why a client may not use the port-forward; null if it may. */
  refusal: (client: Socket) => Promise<string | null>;
  connect: () => Promise<Duplex>;
}

/** Forwards each TCP connection to a port of this machine to a connection of its own to a Pod. */
export class ForwardListener {
  /** Why the last connection failed; null if it succeeded. */
  problem: string | null = null;
  private readonly sockets = new OpenSockets();

  private constructor(
    private readonly server: Server,
    private readonly target: ListenerTarget,
  ) {
    server.on('connection', (client) => void this.serve(client));
    server.on('error', (error) => (this.problem = reasonOf(error)));
  }

  /** @throws Error with a code of the system, such as `EADDRINUSE` or `EACCES` */
  static async listen(target: ListenerTarget, address: ForwardAddress): Promise<ForwardListener> {
    // Paused until the Pod is reached. A client that has sent everything still waits for the response.
    const server = createServer({
      pauseOnConnect: true,
      allowHalfOpen: true,
      noDelay: true,
      highWaterMark: FORWARD_BUFFER,
    });
    await listenOnFreePort(server, address);
    return new ForwardListener(server, target);
  }

  get port(): number {
    return (this.server.address() as AddressInfo | null)?.port ?? 0;
  }

  get traffic(): ForwardTraffic {
    return this.sockets.traffic;
  }

  close(): void {
    this.server.close();
    this.sockets.destroy();
  }

  private async serve(client: Socket): Promise<void> {
    this.sockets.add(client);
    client.on('error', () => client.destroy());
    try {
      const refusal = await this.target.refusal(client);
      if (refusal !== null) throw new Error(refusal);
      const pod = await this.target.connect();
      // The client may have disconnected, and the Pod may have refused the connection.
      pod.on('error', (error) => this.abort(client, error));
      if (pod.errored) throw pod.errored;
      if (client.destroyed) pod.destroy();
      else this.join(client, pod);
    } catch (error) {
      this.abort(client, error);
    }
  }

  private join(client: Socket, pod: Duplex): void {
    this.problem = null;
    client.once('close', () => pod.destroy());
    pod.once('end', () => {
      // The end of the connection to the Pod ends both directions.
      client.unpipe(pod);
      client.resume();
      const closing = setTimeout(() => client.destroy(), CLOSING_MS).unref();
      client.once('close', () => clearTimeout(closing));
    });
    pod.once('close', () => {
      if (!pod.readableEnded) client.destroy();
    });
    client.pipe(pod);
    // Writes of one turn together: each one costs more than what it copies.
    const cork = guarded(
      () => {
        if (client.writableCorked > 0) return;
        client.cork();
        setImmediate(() => client.uncork());
      },
      (error) => this.abort(client, error),
    );
    pod.on('data', cork);
    pod.pipe(client);
  }

  /** A reset tells the client that data is missing. */
  private abort(client: Socket, error: unknown): void {
    this.problem = reasonOf(error);
    client.resetAndDestroy();
  }
}
