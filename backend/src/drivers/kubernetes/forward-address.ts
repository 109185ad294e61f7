import { once } from 'node:events';
import type { AddressInfo, Server } from 'node:net';
import type { PortRange } from '../../core/config/index.js';

/** Where a port-forward listens. */
export interface ForwardAddress {
  /**
   * All of them on the same port; only the first must exist on this machine. In a container it is not loopback, and the
   * engine publishes the port on the host's loopback.
   */
  hosts: readonly string[];
  /** Undefined for any free port. */
  ports: PortRange | undefined;
}

/** Browsers resolve `localhost` and names below it to both: another program on one of them would get their requests. */
export const LOOPBACK: ForwardAddress = { hosts: ['127.0.0.1', '::1'], ports: undefined };

/** A free port of the first address may be in use at the second one. */
const MAX_FREE_PORTS = 10;
/** A machine without IPv6. */
const NO_ADDRESS = ['EADDRNOTAVAIL', 'EAFNOSUPPORT'];

/**
 * Listens on the first port that is free on all addresses.
 * @param create a server for each address
 * @throws Error with the code `EADDRINUSE` if all are in use, or another one of the system
 */
export async function listenOnFreePort(
  create: () => Server,
  { hosts, ports }: ForwardAddress,
): Promise<Server[]> {
  const { first, last } = ports ?? { first: 1, last: MAX_FREE_PORTS };
  for (let port = first; ; port += 1) {
    try {
      return await listenOn(create, hosts, ports ? port : 0);
    } catch (error) {
      const isTaken = codeOf(error) === 'EADDRINUSE';
      if (isTaken && port < last) continue;
      if (!isTaken || ports === undefined || first === last) throw error;
      const all = `All ports of APP_FORWARD_PORTS (${first}-${last}) are in use.`;
      throw Object.assign(new Error(all, { cause: error }), { code: 'EADDRINUSE' });
    }
  }
}

async function listenOn(create: () => Server, hosts: readonly string[], wanted: number): Promise<Server[]> {
  const servers: Server[] = [];
  try {
    for (const host of hosts) {
      const [first] = servers;
      const server = create().listen({ host, port: first ? portOf(first) : wanted });
      try {
        await once(server, 'listening');
        servers.push(server);
      } catch (error) {
        if (!first || !NO_ADDRESS.includes(codeOf(error) ?? '')) throw error;
      }
    }
    return servers;
  } catch (error) {
    for (const server of servers) server.close();
    throw error;
  }
}

/** 0 while it does not listen. */
export function portOf(server: Server): number {
  return (server.address() as AddressInfo | null)?.port ?? 0;
}

function codeOf(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException).code;
}
