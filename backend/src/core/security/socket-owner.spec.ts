import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { ownerIn, SocketOwners, type SocketEnds, type SocketTable } from './socket-owner.js';

const HEAD =
  '  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n';

/** A row of the table on a little-endian machine. */
function row(ends: string, { state = '01', uid = 1000, inode = 110059 } = {}): string {
  return `   7: ${ends} ${state} 00000000:00000000 00:00000000 00000000  ${uid}        0 ${inode} 1 00000000b982f8dd 20 4 30 10 -1\n`;
}

const CLIENT: SocketEnds = {
  local: { address: '127.0.0.1', port: 40_000 },
  remote: { address: '127.0.0.1', port: 8080 },
};
const V4 = '0100007F:9C40 0100007F:1F90';
const MAPPED = '0000000000000000FFFF00000100007F:9C40 0000000000000000FFFF00000100007F:1F90';
const V6 = '00000000000000000000000001000000:9C40 00000000000000000000000001000000:1F90';

describe('ownerIn', () => {
  it('finds the row of an IPv4 connection among others', () => {
    const table = [
      HEAD,
      row('0100007F:1F90 0100007F:9C40', { uid: 0, inode: 1 }),
      row('0100007F:9C40 0200007F:1F90', { uid: 2 }),
      row('0100007F:9C41 0100007F:1F90', { uid: 3 }),
      row(V4, { uid: 1000, inode: 12 }),
    ].join('');
    expect(ownerIn(table, CLIENT)).toEqual({ uid: 1000, inode: 12 });
  });

  it('finds the IPv4-mapped row of a dual-stack socket', () => {
    expect(ownerIn(HEAD + row(MAPPED), CLIENT)).toEqual({ uid: 1000, inode: 110059 });
    const mapped = {
      local: { address: '::ffff:127.0.0.1', port: 40_000 },
      remote: { address: '::ffff:127.0.0.1', port: 8080 },
    };
    expect(ownerIn(HEAD + row(V4), mapped)?.uid).toBe(1000);
    expect(ownerIn(HEAD + row(MAPPED), mapped)?.uid).toBe(1000);
  });

  it('finds the row of a client that has sent everything and still reads', () => {
    expect(ownerIn(HEAD + row(V4, { state: '05' }), CLIENT)?.uid).toBe(1000);
  });

  it('finds the row of an IPv6 connection', () => {
    const client = { local: { address: '::1', port: 40_000 }, remote: { address: '::1', port: 8080 } };
    expect(ownerIn(HEAD + row(V6), client)?.uid).toBe(1000);
  });

  it.each<[string, string]>([
    ['a table without the connection', HEAD],
    ['no table', ''],
    ['a row without an inode', HEAD + row(V4, { uid: 0, inode: 0 })],
    ['a row that is closing', HEAD + row(V4, { state: '09', uid: 0 })],
    ['a row in TIME_WAIT', HEAD + row(V4, { state: '06', uid: 0, inode: 0 })],
    ['the other end of the connection', HEAD + row('0100007F:1F90 0100007F:9C40')],
    ['a row that was cut off', (HEAD + row(V4)).slice(0, -60)],
    ['a row of something else', `${HEAD} ${V4} 01 \n`],
  ])('finds no owner in %s', (_what, table) => {
    expect(ownerIn(table, CLIENT)).toBeUndefined();
  });
});

describe('SocketOwners', () => {
  let server: Server | undefined;
  const sockets: Socket[] = [];

  afterEach(() => {
    for (const socket of sockets.splice(0)) socket.destroy();
    server?.close();
  });

  async function listen(host: string): Promise<number> {
    server = createServer();
    server.listen(0, host);
    await once(server, 'listening');
    return (server.address() as AddressInfo).port;
  }

  async function accepted(): Promise<Socket> {
    const [socket] = (await once(server as Server, 'connection')) as [Socket];
    sockets.push(socket.on('error', () => undefined));
    return socket;
  }

  async function connected(port: number, host = '127.0.0.1'): Promise<Socket> {
    const arrival = accepted();
    sockets.push(connect({ port, host }).on('error', () => undefined));
    return await arrival;
  }

  /** A table in which one row matches every connection. */
  function tableOf(socket: Socket, given: { uid: number; inode?: number }): string {
    const { remotePort = 0, localPort = 0 } = socket;
    const hex = (port: number): string => port.toString(16).toUpperCase().padStart(4, '0');
    return row(`0100007F:${hex(remotePort)} 0100007F:${hex(localPort)}`, given);
  }

  it.each(['127.0.0.1', '::1'])('finds the user of a connection over %s', async (host) => {
    const socket = await connected(await listen(host), host);
    const owners = new SocketOwners();
    await owners.lookUp(socket);
    expect(owners.uidOf(socket)).toBe(process.geteuid?.());
  });

  it('finds the user of a client with a dual-stack socket', async () => {
    const socket = await connected(await listen('127.0.0.1'), '::ffff:127.0.0.1');
    const owners = new SocketOwners();
    await owners.lookUp(socket);
    expect(owners.uidOf(socket)).toBe(process.geteuid?.());
  });

  it('finds another user', async () => {
    const port = await listen('127.0.0.1');
    const arrival = accepted();
    const script = `require('node:net').connect(${port}, '127.0.0.1'); process.stdin.resume().on('end', () => process.exit());`;
    const child = spawn(process.execPath, ['-e', script], { uid: 65_533, cwd: '/' });
    try {
      const socket = await arrival;
      const owners = new SocketOwners();
      await owners.lookUp(socket);
      expect(owners.uidOf(socket)).toBe(65_533);
    } finally {
      child.stdin.end();
      await once(child, 'exit');
    }
  });

  it('finds no user of a connection that its client has closed', async () => {
    const port = await listen('127.0.0.1');
    const arrival = accepted();
    const client = connect({ port, host: '127.0.0.1' });
    const socket = await arrival;
    client.end();
    client.destroy();
    await once(socket.resume(), 'end');
    const owners = new SocketOwners();
    await owners.lookUp(socket);
    expect(owners.uidOf(socket)).toBeUndefined();
  });

  it('reads a table once per connection, and once for concurrent lookups', async () => {
    const port = await listen('127.0.0.1');
    const first = await connected(port);
    const others = [await connected(port), await connected(port), await connected(port)];
    const reads: SocketTable[] = [];
    const owners = new SocketOwners(async (table) => {
      reads.push(table);
      await Promise.resolve();
      return [first, ...others].map((socket) => tableOf(socket, { uid: 1000 })).join('');
    });
    const looking = owners.lookUp(first);
    await Promise.resolve();
    await Promise.resolve();
    expect(reads).toEqual(['tcp']);
    await Promise.all([looking, ...others.map((socket) => owners.lookUp(socket))]);
    expect(reads).toEqual(['tcp', 'tcp']);
    await owners.lookUp(first);
    expect(reads).toHaveLength(2);
    for (const socket of [first, ...others]) expect(owners.uidOf(socket)).toBe(1000);
  });

  it('accepts user 0 only if a second read shows the same socket', async () => {
    const port = await listen('127.0.0.1');
    const [kept, closing, reused] = [await connected(port), await connected(port), await connected(port)];
    let read = 0;
    const owners = new SocketOwners((table) => {
      if (table === 'tcp') read += 1;
      const rows = [tableOf(kept, { uid: 0, inode: 5 })];
      if (read === 1) rows.push(tableOf(closing, { uid: 0, inode: 6 }));
      rows.push(tableOf(reused, { uid: 0, inode: 10 + read }));
      return Promise.resolve(table === 'tcp' ? rows.join('') : '');
    });
    await Promise.all([kept, closing, reused].map((socket) => owners.lookUp(socket)));
    expect([kept, closing, reused].map((socket) => owners.uidOf(socket))).toEqual([0, undefined, undefined]);
  });

  it('finds no user on a system without these tables', async () => {
    const socket = await connected(await listen('127.0.0.1'));
    const owners = new SocketOwners(() => Promise.reject(new Error('ENOENT')));
    await owners.lookUp(socket);
    expect(owners.uidOf(socket)).toBeUndefined();
  });
});
