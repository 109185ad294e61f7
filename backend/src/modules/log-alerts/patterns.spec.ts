import { afterEach, describe, expect, it } from '@jest/globals';
import { waitFor } from '../../../../test/support/wait-for.js';
import { PatternCheck } from './pattern-check.js';
import { PatternQueue, type PatternReader } from './pattern-queue.js';
import { PatternRefused, PatternStopped, PatternThread } from './pattern-thread.js';

const EXPLODES = { source: '(a+)+$', flags: '' };
const BAIT = `${'a'.repeat(60)}!`;

describe('the thread of regular expressions', () => {
  const thread = new PatternThread();

  afterEach(() => thread.end());

  it('says which texts fit', async () => {
    const texts = ['timeout', 'fine', 'Refused'];
    expect(await thread.match({ source: 'timeout|refused', flags: 'i' }, texts, 1000)).toEqual([0, 2]);
  });

  it('is ended over one that explodes, while this one goes on, and the next call is answered', async () => {
    let turns = 0;
    const timer = setInterval(() => (turns += 1), 5);
    await expect(thread.match(EXPLODES, [BAIT], 300)).rejects.toThrow(PatternStopped);
    clearInterval(timer);
    expect(turns).toBeGreaterThan(5);
    expect(await thread.match({ source: 'b', flags: '' }, ['abc'], 1000)).toEqual([0]);
  });

  it('refuses what is none', async () => {
    await expect(thread.match({ source: '(', flags: '' }, [''], 1000)).rejects.toThrow(PatternRefused);
  });
});

describe('a regular expression that is tried out', () => {
  const check = new PatternCheck();

  it.each(['(a+)+$', '(x+x+)+y', '^(\\d+)*$', '([^"]+)*"$', '(foo|f.o)+$', '^(([a-z])+.)+[A-Z]([a-z])+$'])(
    'is refused: %s',
    async (source) => {
      expect(await check.problemOf({ source, flags: 'i' })).toContain('far too long');
    },
  );

  it.each([
    'timeout|refused',
    'status=5[0-9]{2}',
    'order=o-[0-9]{5}',
    '^\\s*at .*\\(.*\\)$',
    '(GET|POST) /\\S* .*5\\d\\d',
    '\\d+\\.\\d+\\.\\d+\\.\\d+',
    'payment (failed|declined).*customer=(\\w+)',
    '',
  ])('is taken: %s', async (source) => {
    expect(await check.problemOf({ source, flags: 'i' })).toBeNull();
  });

  it('is told apart from none', async () => {
    expect(await check.problemOf({ source: '(a', flags: '' })).toMatch(/^is no regular expression: /);
  });
});

describe('the queue before the thread', () => {
  class Reader implements PatternReader<number> {
    readonly found: number[] = [];
    left = 0;
    reason = '';

    constructor(readonly pattern: { source: string; flags: string }) {}

    matched(lines: number[]): void {
      this.found.push(...lines);
    }

    missed(count: number): void {
      this.left += count;
    }

    stopped(reason: string): void {
      this.reason = reason;
    }
  }

  let queue: PatternQueue<number>;

  afterEach(() => queue.end());

  it('keeps the order, over many batches', async () => {
    queue = new PatternQueue();
    const reader = new Reader({ source: '0$', flags: '' });
    for (let line = 0; line < 5000; line += 1) queue.add(reader, line, String(line));
    await waitFor(() => reader.found.length === 500, 'every tenth line');
    expect(reader.found).toEqual(Array.from({ length: 500 }, (_, index) => index * 10));
    expect(reader.left).toBe(0);
  });

  it('counts what comes beyond its bounds', () => {
    queue = new PatternQueue();
    const reader = new Reader({ source: 'x', flags: '' });
    for (let line = 0; line < 20_500; line += 1) queue.add(reader, line, 'y');
    expect(reader.left).toBe(500);
    const long = new Reader({ source: 'x', flags: '' });
    for (let line = 0; line < 1100; line += 1) queue.add(long, line, 'y'.repeat(60_000));
    expect(long.left).toBe(1100 - Math.floor(8_000_000 / 8192));
  });

  it('stops one that explodes, and nobody else', async () => {
    queue = new PatternQueue({ limitMs: 300 });
    const bad = new Reader(EXPLODES);
    const good = new Reader({ source: 'a', flags: '' });
    for (let line = 0; line < 700; line += 1) {
      queue.add(bad, line, line === 3 ? BAIT : 'a');
      queue.add(good, line, 'a');
    }
    await waitFor(() => good.found.length === 700 && bad.reason !== '', 'the lines of the other');
    expect(bad.reason).toContain('300 ms');
    expect(bad.left).toBe(700);
    expect(good.left).toBe(0);
    expect(good.reason).toBe('');
  });

  it('tells nobody of its own end', async () => {
    queue = new PatternQueue();
    const reader = new Reader(EXPLODES);
    queue.add(reader, 1, BAIT);
    await new Promise((resolve) => setImmediate(resolve));
    await queue.end();
    expect([reader.reason, reader.left]).toEqual(['', 0]);
  });
});
