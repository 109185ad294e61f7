import { createSocket } from 'node:dgram';
import { createServer, isIPv4 } from 'node:net';
import { networkInterfaces } from 'node:os';
import type { WantedPort } from '../../kind-config/index.js';

export type PortVerdict = 'free' | 'taken' | 'forbidden' | 'unknown';

/**
 * Asks the system whether a port could be listened on, by doing so for a moment.
 * `forbidden` is a port that needs rights which the engine may well have; SCTP cannot be asked about.
 */
export async function checkPort({ address, port, protocol }: WantedPort): Promise<PortVerdict> {
  const host = hostOf(address);
  if (protocol === 'TCP') return await tryTcp(host, port);
  if (protocol === 'UDP') return await tryUdp(host, port);
  return 'unknown';
}

/**
 * The same of a port that something of our own still holds on some addresses and will have let go of by then:
 * what counts is who else holds it, on another address.
 */
export async function checkPortBeside(
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
  // All addresses cannot be asked for at once while one of them is held.
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
