import { Duplex } from 'node:stream';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { ShellFlow } from './shell-flow.js';

const KB = 1024;

/** A program that reads its input when the test says so. */
class Program extends Duplex {
  readonly reads: (() => void)[] = [];

  override _read(): void {
    return;
  }

  override _write(_data: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.reads.push(done);
  }
}

describe('ShellFlow', () => {
  let program: Program;
  let flow: ShellFlow;
  let received: number;
  let acknowledged: number[];

  beforeEach(() => {
    program = new Program();
    [received, acknowledged] = [0, []];
    flow = new ShellFlow(program, {
      onOutput: ({ length }) => (received += length),
      onAcknowledge: (bytes) => acknowledged.push(bytes),
    });
  });

  const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

  it('stops reading output that the client does not acknowledge', async () => {
    for (let count = 0; count < 40; count += 1) {
      program.push(Buffer.alloc(32 * KB));
      await settled();
    }
    expect(received).toBe(544 * KB);
    expect(flow.acknowledge(received)).toBe(true);
    await settled();
    expect(received).toBe(2 * 544 * KB);
  });

  it.each([-1, 1.5, Number.NaN, '1', undefined, 1e300])('rejects an acknowledgment of %p', (bytes) => {
    expect(flow.acknowledge(bytes)).toBe(false);
  });

  it('acknowledges input that the program has read, and rejects more than it reads', async () => {
    const frame = Buffer.alloc(16 * KB);
    let count = 0;
    while (flow.input(frame)) count += 1;
    expect(count).toBe(63);
    program.reads.shift()?.();
    await settled();
    expect(acknowledged).toEqual([16 * KB]);
  });

  it('bounds frames without content', () => {
    let count = 0;
    while (flow.input(Buffer.alloc(0))) count += 1;
    expect(count).toBeLessThan(20_000);
  });
});
