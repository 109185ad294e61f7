import { createReadStream } from 'node:fs';
import type { Socket } from 'node:net';
import { endianness } from 'node:os';
import { text } from 'node:stream/consumers';
import { ipv6Groups, plainAddress } from './address.js';

/** The kernel's tables of TCP sockets, by address family. https://docs.kernel.org/networking/proc_net_tcp.html */
export type SocketTable = 'tcp' | 'tcp6';

/** About 100,000 sockets. The owner of a connection beyond this limit counts as unknown. */
const MOST_BYTES = 16 * 1024 * 1024;
/** Established, and two states after a client has sent everything but still reads. */
const STATES = ['01', '04', '05'];
const IPV4 = /^\d{1,3}(\.\d{1,3}){3}$/;

/** The two ends of a connection, from the view of the socket's owner. */
export interface SocketEnds {
  local: { address: string; port: number };
  remote: { address: string; port: number };
}

export interface SocketOwner {
  uid: number;
  inode: number;
}

/**
 * The system users at the other end of loopback connections, on systems that report them (Linux). Each connection is
 * looked up once, and concurrent lookups share a read of a table, which other users can make long.
 */
export class SocketOwners {
  private readonly uids = new WeakMap<Socket, number | undefined>();
  private readonly tables: readonly SharedRead[];

  constructor(readTable: (table: SocketTable) => Promise<string> = readSocketTable) {
    // Clients with dual-stack sockets are rare, and the kernel needs 5 ms for each table: the second is read if the
    // first does not have the connection.
    this.tables = [new SharedRead(() => readTable('tcp')), new SharedRead(() => readTable('tcp6'))];
  }

  /** User id of a connection's client, after `lookUp`; undefined if unknown. */
  uidOf(socket: Socket): number | undefined {
    return this.uids.get(socket);
  }

  /** Looks up a connection's client once. Never rejects. */
  async lookUp(socket: Socket): Promise<void> {
    if (this.uids.has(socket)) return;
    const { localAddress, localPort, remoteAddress, remotePort } = socket;
    if (!localAddress || !localPort || !remoteAddress || !remotePort) return;
    const client: SocketEnds = {
      local: { address: remoteAddress, port: remotePort },
      remote: { address: localAddress, port: localPort },
    };
    const owner = await this.ownerOf(client);
    // The kernel reads state, user and inode of a row separately: a socket that closes in between may show user 0 (root).
    // A second read with the same inode rules that out.
    const isReal = owner?.uid !== 0 || (await this.ownerOf(client))?.inode === owner.inode;
    this.uids.set(socket, isReal ? owner?.uid : undefined);
  }

  private async ownerOf(client: SocketEnds): Promise<SocketOwner | undefined> {
    for (const table of this.tables) {
      const owner = ownerIn(await table.read(), client);
      if (owner) return owner;
    }
    return undefined;
  }
}

/** Reads of one table. The current read may have passed the row of a new connection: callers share the next one. */
class SharedRead {
  private current: Promise<unknown> = Promise.resolve();
  private next: Promise<string> | undefined;

  constructor(private readonly readTable: () => Promise<string>) {}

  /** @returns '' if the system has no such table. */
  read(): Promise<string> {
    this.next ??= this.current.then(() => {
      this.next = undefined;
      const read = this.readTable().catch(() => '');
      this.current = read;
      return read;
    });
    return this.next;
  }
}

/**
 * The owner of a connection in a table of sockets. A row without an inode belongs to no process, so its
 * user id is meaningless.
 */
export function ownerIn(table: string, { local, remote }: SocketEnds): SocketOwner | undefined {
  for (const address of [hexAddress, mappedHexAddress]) {
    const ends = `${address(local.address)}:${hexPort(local.port)} ${address(remote.address)}:${hexPort(remote.port)}`;
    const start = table.indexOf(` ${ends} `);
    if (start < 0 || !STATES.includes(table.slice(start + ends.length + 2, start + ends.length + 4))) {
      continue;
    }
    const end = table.indexOf('\n', start);
    // Ignore a row that the size limit truncated.
    if (end < 0) continue;
    const [uid, , inode] = table.slice(start, end).trim().split(/\s+/).slice(6).map(Number);
    if (uid !== undefined && inode !== undefined && uid >= 0 && inode > 0) return { uid, inode };
  }
  return undefined;
}

function hexPort(port: number): string {
  return port.toString(16).toUpperCase().padStart(4, '0');
}

/** An address as the kernel prints it: 32-bit words in network byte order, printed in host byte order. */
function hexAddress(address: string): string {
  const plain = plainAddress(address);
  return words(IPV4.test(plain) ? plain.split('.').map(Number) : bytesOfIPv6(plain));
}

/** The same for an IPv4 address of a dual-stack socket. */
function mappedHexAddress(address: string): string {
  const plain = plainAddress(address);
  if (!IPV4.test(plain)) return hexAddress(plain);
  return words([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 255, 255, ...plain.split('.').map(Number)]);
}

function bytesOfIPv6(address: string): number[] {
  return ipv6Groups(address)
    .map((group) => parseInt(group, 16))
    .flatMap((group) => [group >> 8, group & 255]);
}

function words(bytes: number[]): string {
  const buffer = Buffer.from(bytes);
  if (endianness() === 'LE') buffer.swap32();
  return buffer.toString('hex').toUpperCase();
}

/** @throws Error if the system has no such table. */
async function readSocketTable(table: SocketTable): Promise<string> {
  return await text(createReadStream(`/proc/self/net/${table}`, { encoding: 'latin1', end: MOST_BYTES }));
}
