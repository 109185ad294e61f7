import { createSocket } from 'node:dgram';
import { createServer } from 'node:net';
import type { WantedPort } from './kind-config/kind-config.js';

export type PortVerdict = 'free' | 'taken' | 'forbidden' | 'unknown';

/**
 * Asks the system whether a port could be listened on, by doing so for a moment.
 * `forbidden` is a port that needs rights which the engine may well have; SCTP cannot be asked about.
 */
export async function checkPort({ address, port, protocol }: WantedPort): Promise<PortVerdict> {
  const host = address === '' ? '0.0.0.0' : address;
  if (protocol === 'TCP') return await tryTcp(host, port);
  if (protocol === 'UDP') return await tryUdp(host, port);
  return 'unknown';
}

function verdictOf(error: NodeJS.ErrnoException): PortVerdict {
  if (error.code === 'EADDRINUSE') return 'taken';
  if (error.code === 'EACCES') return 'forbidden';
  return 'unknown';
}

async function tryTcp(host: string, port: number): Promise<PortVerdict> {
  return await new Promise((resolve) => {
    const server = createServer();
    server.once('error', (error) => resolve(verdictOf(error)));
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve('free')));
  });
}

async function tryUdp(host: string, port: number): Promise<PortVerdict> {
  return await new Promise((resolve) => {
    const socket = createSocket(host.includes(':') ? 'udp6' : 'udp4');
    socket.once('error', (error) => {
      socket.close();
      resolve(verdictOf(error));
    });
    socket.bind({ address: host, port, exclusive: true }, () => socket.close(() => resolve('free')));
  });
}
