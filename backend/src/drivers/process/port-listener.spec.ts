import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { findListener, socketsOn } from './port-listener.js';

const TABLE = `  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
   0: 0100007F:9CA3 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 731 1 ffff 100 0 0 10 0
   1: 0100007F:9CA3 0100007F:D2F0 01 00000000:00000000 00:00000000 00000000  1000        0 732 1 ffff 20 4 30 10 -1
   2: 00000000:0016 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 733 1 ffff 100 0 0 10 0
`;

describe('findListener', () => {
  it('reads only listening sockets of the port from /proc/net', () => {
    expect(socketsOn(TABLE, 40_099, '0A')).toEqual(['731']);
    expect(socketsOn(TABLE, 22, '0A')).toEqual(['733']);
    expect(socketsOn(TABLE, 23, '0A')).toEqual([]);
    expect(socketsOn('', 22, '0A')).toEqual([]);
  });

  it('returns name and pid of a TCP listener on Linux', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const found = await findListener(port, 'TCP');
    server.close();
    await once(server, 'close');
    const known = process.platform === 'linux';
    expect(found?.pid).toBe(known ? process.pid : undefined);
    expect(found?.name.length ?? 0).toBeGreaterThan(known ? 0 : -1);
    expect(await findListener(port, 'TCP')).toBeUndefined();
  });

  it('supports UDP, but not SCTP', async () => {
    const socket = createSocket('udp4');
    socket.bind(0, '127.0.0.1');
    await once(socket, 'listening');
    const { port } = socket.address();
    const found = await findListener(port, 'UDP');
    expect(await findListener(port, 'SCTP')).toBeUndefined();
    socket.close();
    expect(found?.pid).toBe(process.platform === 'linux' ? process.pid : undefined);
  });
});
