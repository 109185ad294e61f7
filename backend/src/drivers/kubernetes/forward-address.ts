import { once } from 'node:events';
import type { Server } from 'node:net';
import type { PortRange } from '../../core/config/index.js';

/** Where a port-forward listens. */
export interface ForwardAddress {
  /** In a container it is not loopback, and the engine publishes the port on the host's loopback. */
  host: string;
  /** Undefined for any free port. */
  ports: PortRange | undefined;
}

export const LOOPBACK: ForwardAddress = { host: '127.0.0.1', ports: undefined };

/**
 * Listens on the first free port.
 * @throws Error with the code `EADDRINUSE` if all are in use, or another one of the system
 */
export async function listenOnFreePort(server: Server, { host, ports }: ForwardAddress): Promise<void> {
  const { first, last } = ports ?? { first: 0, last: 0 };
  for (let port = first; ; port += 1) {
    try {
      server.listen({ host, port });
      await once(server, 'listening');
      return;
    } catch (error) {
      const isTaken = (error as NodeJS.ErrnoException).code === 'EADDRINUSE';
      if (isTaken && port < last) continue;
      if (!isTaken || ports === undefined) throw error;
      const all = `All ports of APP_FORWARD_PORTS (${first}-${last}) are in use.`;
      throw Object.assign(new Error(all, { cause: error }), { code: 'EADDRINUSE' });
    }
  }
}
