import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { WebSocket } from 'ws';
import { KubeletSocket } from '../../../../test/support/kubernetes/kubelet-socket.js';
import { waitFor } from '../../../../test/support/wait-for.js';
import type { RunningProgram } from '../runtime/index.js';
import { openProgram } from './pod-program.js';

const status = (value: object): Buffer => frame(3, JSON.stringify(value));

function frame(channel: number, data: string | Buffer): Buffer {
  return Buffer.concat([Buffer.of(channel), Buffer.from(data)]);
}

describe('openProgram', () => {
  let kubelet: KubeletSocket;
  let url: URL;
  let version: string;

  beforeEach(async () => {
    version = 'v5.channel.k8s.io';
    kubelet = await KubeletSocket.start(() => version);
    url = kubelet.url('/exec');
  });

  afterEach(() => kubelet.stop());

  async function open(): Promise<{ program: RunningProgram; there: WebSocket; sent: string[] }> {
    const sent: string[] = [];
    const [program, there] = await Promise.all([
      openProgram(url, {}),
      kubelet
        .accepted()
        .then((socket) =>
          socket.on('message', (data: Buffer) => sent.push(`${data[0]}:${data.subarray(1).toString()}`)),
        ),
    ]);
    if (!('stream' in program)) throw new Error('it was not opened');
    return { program, there, sent };
  }

  it('passes input, output, sizes and the end of the input', async () => {
    const { program, there, sent } = await open();
    program.stream.write('ls\n');
    program.resize({ columns: 120, rows: 40 });
    program.stream.end();
    await waitFor(() => sent.length === 3, 'the input');
    expect(sent).toEqual(['0:ls\n', '4:{"Width":120,"Height":40}', '255:\u0000']);
    for (const part of ['a', 'b']) there.send(frame(1, part));
    there.send(frame(2, 'a warning\n'));
    there.send(status({ status: 'Success' }));
    expect(await text(program.stream)).toBe('ab');
    expect(await program.ended).toEqual({ exitCode: 0, problem: null });
    expect(program.errorOutput()).toBe('a warning');
  });

  it('does not close the input in a version that cannot', async () => {
    version = 'v4.channel.k8s.io';
    const { program, sent } = await open();
    program.stream.end('x');
    await once(program.stream, 'finish');
    await waitFor(() => sent.length > 0, 'the input');
    expect(sent).toEqual(['0:x']);
    program.stream.destroy();
  });

  it.each([
    [
      'an exit code',
      {
        status: 'Failure',
        reason: 'NonZeroExitCode',
        details: { causes: [{ reason: 'ExitCode', message: '7' }] },
      },
      { exitCode: 7, problem: null },
    ],
    [
      'a program that does not exist',
      { status: 'Failure', message: 'exec: "sh": executable file not found in $PATH' },
      { exitCode: null, problem: 'exec: "sh": executable file not found in $PATH' },
    ],
  ])('reports %s', async (_, value, end) => {
    const { program, there } = await open();
    there.send(status(value));
    expect(await program.ended).toEqual(end);
  });

  it('reports a lost connection', async () => {
    const { program, there } = await open();
    there.terminate();
    expect(await program.ended).toEqual({
      exitCode: null,
      problem: 'the connection to the container ended',
    });
  });

  it('does not read ahead of the consumer', async () => {
    const { program, there } = await open();
    let left = 400;
    const more = (): void => {
      left -= 1;
      if (left >= 0) there.send(frame(1, Buffer.alloc(100_000)), more);
    };
    more();
    let before = 0;
    const isStalled = async (): Promise<boolean> => {
      before = left;
      await delay(100);
      return before === left;
    };
    await waitFor(isStalled, 'the end of reading');
    expect(left).toBeGreaterThan(0);
    expect(program.stream.readableLength).toBeLessThan(1_000_000);
    program.stream.resume();
    await waitFor(() => left < 0, 'all output');
    program.stream.destroy();
  });

  it('returns the response with which the server rejects the request', async () => {
    expect(await openProgram(kubelet.url('/refused'), {})).toEqual({
      status: 404,
      text: '{"kind":"Status"}',
    });
  });
});
