import type { IncomingMessage } from 'node:http';
import type { TLSSocket } from 'node:tls';
import { plainAddress } from './address.js';

/** Where a request comes from, as far as it can be trusted. */
export interface Client {
  /** Address by which limits, sessions and the journal know the client. */
  address: string;
  /** Whether the client's side of the connection is encrypted. */
  protocol: 'http' | 'https';
}

/** The one place that decides where a request comes from: no other code reads `remoteAddress` or a forwarding header. */
export function clientOf({ socket }: IncomingMessage): Client {
  return {
    address: plainAddress(socket.remoteAddress),
    protocol: (socket as Partial<TLSSocket>).encrypted === true ? 'https' : 'http',
  };
}
