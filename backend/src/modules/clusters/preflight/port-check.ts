import { createSocket } from 'node:dgram';
import { createServer, isIPv4 } from 'node:net';
import { networkInterfaces } from 'node:os';
import type { WantedPort } from '../../kind-config/index.js';

export type PortVerdict = 'free' | 'taken' | 'forbidden' | 'unknown';

/**
 * Checks whether a port is free by listening on it for a moment. `forbidden`: the port needs privileges, which the
 * engine may have. SCTP cannot be checked.
 */
export async function checkPort({ address, port, protocol }: WantedPort): Promise<PortVerdict> {
  const host = hostOf(address);
  if (protocol === 'TCP') return await tryTcp(host, port);
  if (protocol === 'UDP') return await tryUdp(host, port);
  return 'unknown';
}

/**
 * Checks a port that nodes to be removed still use on some addresses: it is taken if another program uses it on one of
 * the other addresses.
 * @param own addresses on which these nodes use the port.
 */
export async function checkPortExcept(
  wanted: WantedPort,
  own: readonly string[],
  machine: readonly string[] = addressesOfMachine(),
): Promise<PortVerdict> {
  const held = own.map(hostOf);
  const isHeld = (address: string): boolean =>
    held.includes(address) || held.includes('::') || (held.includes('0.0.0.0') && isIPv4(address));
  const host = hostOf(wanted.address);
  if (isHeld(host)) return 'free';
  if (host !== '::' && host !== '0.0.0.0') return await checkPort(wanted);
  // Listening on the wildcard address fails while one of the addresses is in use.
  const others = machine.filter((address) => !isHeld(address) && (host === '::' || isIPv4(address)));
  const verdicts = await Promise.all(others.map((address) => checkPort({ ...wanted, address })));
  return verdicts.includes('taken') ? 'taken' : 'free';
}

function hostOf(address: string): string {
  return address === '' ? '0.0.0.0' : address;
}

function addressesOfMachine(): string[] {
  return Object.values(networkInterfaces()).flatMap((addresses) =>
    (addresses ?? []).map(({ address }) => address),
  );
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
