import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Worker } from 'node:worker_threads';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  findIn,
  identityOf,
  newLine,
  NO_LIMITS,
  queryOf,
  SMALL,
  START,
} from '../../../../../test/support/logs/history.js';
import { OwnerSteps } from '../../../../../test/support/logs/owner-steps.js';
import { waitFor } from '../../../../../test/support/wait-for.js';
import { startThread } from '../../../core/threads/index.js';
import { LogHistory } from './index.js';

const MEGABYTE = 'x'.repeat(1_000_000);

let folder: string;
let history: LogHistory;
let threads: Worker[];
let troubles: string[];

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'thread-'));
  await open();
});

afterEach(async () => {
  await history.close();
  rmSync(folder, { recursive: true, force: true });
});

async function open(): Promise<void> {
  threads = [];
  troubles = [];
  history = await LogHistory.open(folder, NO_LIMITS, {
    ...SMALL,
    onTrouble: (reason) => troubles.push(reason),
    startThread: (...started) => {
      const thread = startThread(...started);
      threads.push(thread);
      return thread;
    },
  });
}

function write(id: number, count: number): void {
  const first = history.extent(id)?.nextSeq ?? 1;
  const lines = Array.from({ length: count }, (_, index) =>
    newLine(`line ${first + index} ${'.'.repeat(50)}`, START + first + index),
  );
  history.append(id, lines);
}

async function expectAll(id: number, last: number): Promise<void> {
  const lines = await history.page(id, 1, last + 10);
  expect(lines.map(({ seq }) => seq)).toEqual(Array.from({ length: last }, (_, index) => index + 1));
  for (const { seq, text } of lines) expect(text).toMatch(new RegExp(`^(line ${seq} |x{1000000}$)`));
}

describe('a thread that ends', () => {
  it('is told and replaced; lines wait, and no more of them than there is room for', async () => {
    const id = history.source(identityOf('a'));
    write(id, 100);
    await threads[0]?.terminate();
    expect(troubles).toEqual(['the thread that writes lines has ended: it was ended']);
    write(id, 100);
    for (let count = 0; count < 9; count += 1) history.append(id, [newLine(MEGABYTE, START + 1000)]);
    let isIn = false;
    const room = history.room().then(() => (isIn = true));
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect([isIn, threads.length]).toEqual([false, 1]);
    // It can be read as if nothing were.
    await expectAll(id, 209);
    await room;
    expect(threads).toHaveLength(2);
    write(id, 100);
    await expectAll(id, 309);
    await history.close();
    await open();
    await expectAll(id, 309);
  }, 15_000);

  it('at any moment loses nothing, keeps no line twice, and brings nothing back', async () => {
    const ids = ['a', 'b', 'c'].map((name) => history.source(identityOf(name)));
    const [a, b, c] = ids as [number, number, number];
    let last = 0;
    for (const pause of [0, 37, 111]) {
      // Through segments and blocks, and ended in the midst of it.
      for (let round = 0; round < 20; round += 1) {
        for (const id of ids) write(id, 30);
        last += 30;
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
      await new Promise((resolve) => setTimeout(resolve, pause));
      const before = threads.length;
      await threads.at(-1)?.terminate();
      const deleted = history.delete(b);
      write(history.source(identityOf(`of ${pause}`)), 5);
      await waitFor(() => threads.length > before, 'another thread');
      await deleted;
      await history.enforceLimits();
    }
    await expectAll(a, last);
    await history.close();
    await open();
    // First: after a second, the limits let go of a source that is empty and that nobody writes.
    expect(await history.page(b, 1, 10)).toEqual([]);
    expect(history.extent(b)?.nextSeq).toBe(last + 1);
    expect(history.sources().map(({ identity }) => identity.name)).toEqual([
      'a',
      'b',
      'c',
      'of 0',
      'of 37',
      'of 111',
    ]);
    expect(new Set(history.sources().map(({ id }) => history.changedFrom(id, history.run)))).toEqual(
      new Set([Infinity]),
    );
    await expectAll(a, last);
    await expectAll(c, last);
  }, 20_000);

  it('is waited for by whoever looks for lines that were put elsewhere, and not yet told where', async () => {
    const id = history.source(identityOf('a'));
    for (let round = 0; round < 10; round += 1) {
      write(id, 300);
      await history.enforceLimits();
    }
    await threads[0]?.terminate();
    // As the next one does that ends before it has told anything.
    const steps = new OwnerSteps(folder);
    steps.finish();
    steps.close();
    expect(threads).toHaveLength(1);
    const [found, counted, page] = await Promise.all([
      findIn(history, { text: 'line' }),
      history.histogram(queryOf({ text: 'line' }), 10, new AbortController().signal),
      history.page(id, 1, 3010),
    ]);
    expect([found.texts.length, found.end?.reason, page.length]).toEqual([3000, 'complete', 3000]);
    expect(counted.buckets.reduce((sum, { total }) => sum + total, 0)).toBe(3000);
    expect(threads).toHaveLength(2);
  });

  it('does not keep a history from being closed', async () => {
    history.source(identityOf('a'));
    await threads[0]?.terminate();
    await history.close();
    expect(threads).toHaveLength(1);
  });
});
