import type { IncomingMessage } from 'node:http';
import { plainAddress } from './address.js';

/** Where a request comes from, as far as it can be trusted. */
export interface Client {
  /** Address by which limits, sessions and the journal know the client. */
  address: string;
  /** Whether the client's side of the connection is encrypted. */
  protocol: 'http' | 'https';
}

/** Clients of requests that came through a trusted proxy. */
const behindProxies = new WeakMap<IncomingMessage, Client>();

/** Notes what a trusted proxy says about the client of a request. */
export function setClient(request: IncomingMessage, client: Client): void {
  behindProxies.set(request, client);
}

/** The one place that decides where a request comes from: no other code reads `remoteAddress` or a forwarding header. */
export function clientOf(request: IncomingMessage): Client {
  return behindProxies.get(request) ?? peerOf(request);
}

/** The other end of the connection: the client itself, or a proxy. */
export function peerOf({ socket }: IncomingMessage): Client {
  return {
    address: plainAddress(socket.remoteAddress),
    protocol: (socket as { encrypted?: boolean }).encrypted === true ? 'https' : 'http',
  };
}
