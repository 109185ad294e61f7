import type { IncomingMessage } from 'node:http';
import { plainAddress } from './address.js';

/** The trusted origin of a request. */
export interface Client {
  /** The client's address for limits, sessions and the journal. */
  address: string;
  /** Whether the client's side of the connection is encrypted. */
  protocol: 'http' | 'https';
}

/** Clients of requests that came through a trusted proxy. */
const behindProxies = new WeakMap<IncomingMessage, Client>();

/** Records the client of a request as reported by a trusted proxy. */
export function setClient(request: IncomingMessage, client: Client): void {
  behindProxies.set(request, client);
}

/** The client of a request. No other code reads `remoteAddress` or a forwarding header. */
export function clientOf(request: IncomingMessage): Client {
  return behindProxies.get(request) ?? peerOf(request);
}

/** The peer of the connection: the client or a proxy. */
export function peerOf({ socket }: IncomingMessage): Client {
  return {
    address: plainAddress(socket.remoteAddress),
    protocol: (socket as { encrypted?: boolean }).encrypted === true ? 'https' : 'http',
  };
}
