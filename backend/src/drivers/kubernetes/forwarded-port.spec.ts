import { once } from 'node:events';
import { Duplex } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { WebSocket } from 'ws';
import { KubeletSocket } from '../../../../test/support/kubernetes/kubelet-socket.js';
import { openPort } from './forwarded-port.js';

/** A kubelet sends these first on both channels. */
const PREAMBLES = [Buffer.from([0, 0x50, 0]), Buffer.from([1, 0x50, 0])];

describe('openPort', () => {
  let kubelet: KubeletSocket;
  let url: URL;

  beforeEach(async () => {
    kubelet = await KubeletSocket.start();
    url = kubelet.url('/portforward?ports=80');
  });

  afterEach(() => kubelet.stop());

  async function open(): Promise<{ port: Duplex; there: WebSocket }> {
    const [port, there] = await Promise.all([
      openPort(url, {}),
      kubelet.accepted().then((socket) => {
        for (const preamble of PREAMBLES) socket.send(preamble);
        return socket;
      }),
    ]);
    if (!(port instanceof Duplex)) throw new Error('it was not opened');
    return { port, there };
  }

  it('passes bytes in both directions, without the preamble of each channel', async () => {
    const { port, there } = await open();
    expect(there.protocol).toBe('v4.channel.k8s.io');
    port.write('ping');
    const [sent] = (await once(there, 'message')) as [Buffer];
    expect([...sent]).toEqual([0, ...Buffer.from('ping')]);
    there.send(Buffer.concat([Buffer.of(0), Buffer.from('pong')]));
    expect(String((await once(port, 'data'))[0])).toBe('pong');
    port.destroy();
    await once(there, 'close');
  });

  it('receives data of the program after everything is sent', async () => {
    const { port, there } = await open();
    port.end('last');
    await once(there, 'message');
    there.send(Buffer.concat([Buffer.of(0), Buffer.from('answer')]));
    there.close();
    let heard = '';
    for await (const piece of port) heard += String(piece);
    expect(heard).toBe('answer');
    expect(port.destroyed).toBe(true);
  });

  it('fails with a readable message of the kubelet', async () => {
    const { port, there } = await open();
    const failure = once(port, 'error');
    there.send(
      Buffer.concat([Buffer.of(1), Buffer.from('error forwarding port 80: dial tcp4: connection refused')]),
    );
    expect((await failure)[0]).toMatchObject({ message: 'no program listens on this port of the Pod' });
    await once(there, 'close');
  });

  it('survives a kubelet that fails right after the handshake', async () => {
    const refusal = Buffer.concat([Buffer.of(1), Buffer.from('connection refused')]);
    kubelet.sendWithHandshake([...PREAMBLES, refusal]);
    const port = await openPort(url, {});
    if (!(port instanceof Duplex)) throw new Error('it was not opened');
    if (!port.closed) await once(port, 'close');
    expect(port.errored).toMatchObject({ message: 'no program listens on this port of the Pod' });
  });

  it('stops reading from a program while the client does not read', async () => {
    const { port, there } = await open();
    const chunk = Buffer.concat([Buffer.of(0), Buffer.alloc(60_000, 'x')]);
    for (let sent = 0; sent < 200; sent += 1) there.send(chunk);
    await once(port, 'readable');
    expect(port.readableLength).toBeLessThan(2_000_000);
    let length = 0;
    for await (const piece of port) {
      length += (piece as Buffer).length;
      if (length === 200 * 60_000) break;
    }
    expect(length).toBe(12_000_000);
  });

  it('answers a ping, and ends at once when the server closes the WebSocket', async () => {
    const { port, there } = await open();
    there.ping('still there?');
    expect(String((await once(there, 'pong'))[0])).toBe('still there?');
    there.send(Buffer.concat([Buffer.of(0), Buffer.from('last')]));
    there.close();
    const closed = once(there, 'close');
    let heard = '';
    for await (const piece of port) heard += String(piece);
    expect(heard).toBe('last');
    expect((await closed)[0]).toBe(1005);
  });

  it('fails if the server violates the protocol', async () => {
    const { port, there } = await open();
    const failure = once(port, 'error');
    there.send('text');
    expect((await failure)[0]).toMatchObject({ message: 'the API server sent an invalid WebSocket frame' });
    await once(there, 'close');
  });

  it('returns the response of a server that rejects the request', async () => {
    expect(await openPort(kubelet.url('/refused'), {})).toEqual({ status: 404, text: '{"kind":"Status"}' });
  });
});
