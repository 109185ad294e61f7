import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  findIn,
  identityOf,
  newLine,
  NO_LIMITS,
  SMALL,
  START,
} from '../../../../../test/support/logs/history.js';
import { waitFor } from '../../../../../test/support/wait-for.js';
import { Database } from '../../../core/storage/index.js';
import { LogHistory, type HistoryLimits } from './index.js';

let folder: string;
let history: LogHistory;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'limits-'));
});

afterEach(async () => {
  await history.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Lines that do not compress to nothing. */
function textOf(index: number): string {
  let state = index + 1;
  let text = `line ${index}`;
  for (let word = 0; word < 12; word += 1) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    text += ` ${state.toString(36)}`;
  }
  return text;
}

async function fill(id: number, lines: number, time = START): Promise<void> {
  const first = history.extent(id)?.nextSeq ?? 1;
  for (let index = 0; index < lines; index += 50) {
    history.append(
      id,
      Array.from({ length: 50 }, (_, add) => newLine(textOf(first - 1 + index + add), time + index + add)),
    );
    await history.room();
    if (index % 500 === 0) await new Promise((resolve) => setTimeout(resolve, 110));
  }
  await new Promise((resolve) => setTimeout(resolve, 150));
}

async function open(limits: Partial<HistoryLimits>): Promise<void> {
  history = await LogHistory.open(folder, { ...NO_LIMITS, ...limits }, SMALL);
}

/** The lines that are kept are the newest ones, each the one that it was. */
async function expectNewest(id: number, last: number): Promise<number> {
  const { firstSeq, nextSeq } = history.extent(id) ?? { firstSeq: 0, nextSeq: 0 };
  expect(nextSeq - 1).toBe(last);
  const lines = await history.page(id, 1, last);
  expect(lines.map(({ seq }) => seq)).toEqual(
    Array.from({ length: last - firstSeq + 1 }, (_, index) => firstSeq + index),
  );
  expect(lines.every(({ seq, text }) => text === textOf(seq - 1))).toBe(true);
  return lines.length;
}

/** Everything: segments, the database, its log, and what is not tidied yet. */
function bytesOnDisk(ending = ''): number {
  return (
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.name.endsWith(ending))
      // One may go while it is looked at.
      .reduce(
        (sum, { parentPath, name }) =>
          sum + (statSync(join(parentPath, name), { throwIfNoEntry: false })?.size ?? 0),
        0,
      )
  );
}

describe('the limits of the history', () => {
  it('drop the oldest lines of all when there are too many bytes in all', async () => {
    const limit = 300_000;
    await open({ bytesInAll: limit });
    const [one, other] = ['one', 'other'].map((name) => history.source(identityOf(name))) as [number, number];
    await fill(one, 3000, START);
    await fill(other, 3000, START + 1_000_000);
    await waitFor(() => history.bytesOnDisk <= limit, 'the limit to be held');
    expect(history.bytesOnDisk).toBeGreaterThan(limit / 2);
    const left = await expectNewest(one, 3000);
    expect(left).toBeLessThan(3000);
    // Older lines of the one go before any of the other.
    const kept = await expectNewest(other, 3000);
    expect(left === 0 || kept === 3000).toBe(true);
    expect((await findIn(history, { text: 'line' })).texts).toHaveLength(left + kept);
  });

  it('drop the oldest lines of a source that has too many, and of no other', async () => {
    await open({ bytesPerSource: 120_000 });
    const [loud, quiet] = ['loud', 'quiet'].map((name) => history.source(identityOf(name))) as [
      number,
      number,
    ];
    await fill(quiet, 100);
    await fill(loud, 4000);
    await history.enforceLimits();
    const left = await expectNewest(loud, 4000);
    expect(left).toBeLessThan(2000);
    expect(left).toBeGreaterThan(300);
    expect(await expectNewest(quiet, 100)).toBe(100);
    await history.close();
    await open({ bytesPerSource: 120_000 });
    expect(await expectNewest(loud, 4000)).toBe(left);
  });

  it('drop what is too old, and forget a source that is gone with its last line', async () => {
    await open({ maxAgeDays: 1 });
    const day = 24 * 60 * 60 * 1e6;
    const now = Date.now() * 1000;
    const [old, gone] = ['old', 'gone'].map((name) => history.source(identityOf(name))) as [number, number];
    await fill(old, 1000, now - 2 * day);
    await fill(gone, 100, now - 3 * day);
    await fill(old, 500, now - day / 2);
    history.leave(gone);
    await history.enforceLimits();
    expect(history.sources().map(({ id }) => id)).toEqual([old]);
    expect(history.extent(old)?.firstTime).toBeGreaterThan(now - day);
    const left = await expectNewest(old, 1500);
    expect(left).toBeGreaterThanOrEqual(500);
    // Its number is not given to another.
    expect(history.source(identityOf('new'))).toBe(gone + 1);
  });

  it('let go of the room on disk that dropped lines took', async () => {
    await open({ bytesPerSource: 30_000 });
    const id = history.source(identityOf('loud'));
    await fill(id, 6000);
    await history.enforceLimits();
    // Of a database with a few tables and no row there are 40 kB, and 32 kB to share its log by.
    await waitFor(() => bytesOnDisk() < 190_000, 'files to shrink');
    await waitFor(() => bytesOnDisk('.log') < 100_000, 'segments to shrink');
  });

  it.each([
    ['one source that writes a lot', 1, 20_000],
    ['many that write little', 200, 100],
  ])(
    'hold for all bytes on disk, also while lines come: %s',
    async (_, sources, lines) => {
      const limit = 5_000_000;
      history = await LogHistory.open(folder, { ...NO_LIMITS, bytesInAll: limit });
      const ids = Array.from({ length: sources }, (_value, index) => history.source(identityOf(`s${index}`)));
      let most = 0;
      let looked = performance.now();
      for (let first = 0; first < lines; first += 50) {
        for (const id of ids) {
          const texts = Array.from({ length: 50 }, (_value, index) =>
            textOf(id * lines + first + index).repeat(4),
          );
          history.append(
            id,
            texts.map((text, index) => newLine(text, START + first + index)),
          );
          if (performance.now() - looked < 10) continue;
          // As who takes lines in: other work comes in between, and where the disk does not keep up, they wait.
          await new Promise((resolve) => setTimeout(resolve, 5));
          await history.room();
          most = Math.max(most, bytesOnDisk());
          looked = performance.now();
        }
      }
      expect(most).toBeGreaterThan(limit / 2);
      // A slow disk keeps what is being tidied a little longer.
      expect(most).toBeLessThanOrEqual(limit * 1.25);
      await history.enforceLimits();
      expect(history.bytesOnDisk).toBeLessThanOrEqual(limit);
      await waitFor(() => bytesOnDisk() <= limit, 'files to be tidied');
      expect(bytesOnDisk()).toBeGreaterThan(limit / 2);
      for (const id of ids) await history.delete(id);
      await waitFor(() => bytesOnDisk() < 200_000, 'files to shrink');
    },
    20_000,
  );
});

describe('deleting a source', () => {
  it('takes its lines out of everything, at once and for good, and goes on counting', async () => {
    await open({});
    const [kept, deleted] = ['kept', 'deleted'].map((name) => history.source(identityOf(name))) as [
      number,
      number,
    ];
    for (let round = 0; round < 5; round += 1) {
      await fill(kept, 500);
      await fill(deleted, 500);
    }
    history.append(deleted, [newLine('not even in a file', START)]);
    const bytes = history.extent(deleted)?.bytes;
    expect(await history.delete(deleted)).toEqual({ lines: 2501, bytes });
    expect(await history.page(deleted, 1, 10)).toEqual([]);
    expect(history.extent(deleted)).toMatchObject({
      firstSeq: 2502,
      nextSeq: 2502,
      bytes: 0,
      firstTime: null,
    });
    expect((await findIn(history, { sources: [deleted] })).texts).toEqual([]);
    expect(await expectNewest(kept, 2500)).toBe(2500);
    await waitFor(
      () => !inSegments(`"key":"container/docker/deleted"`, 'line 2499 '),
      'its text to leave the files',
    );
    expect(history.append(deleted, [newLine('after', START)])).toBe(2502);
    await history.close();
    await open({});
    expect((await history.page(deleted, 1, 10)).map(({ seq, text }) => [seq, text])).toEqual([
      [2502, 'after'],
    ]);
    expect(await expectNewest(kept, 2500)).toBe(2500);
  });
});

describe('deleting a source where the disk refuses it', () => {
  it('says that it is not for good yet, and does it when it can', async () => {
    await open({});
    const id = history.source(identityOf('a'));
    history.append(id, [newLine('secret', START)]);
    await history.enforceLimits();
    const path = join(folder, 'logs.db');
    const other = Database.open(path, [''], { checkedTables: [], checkpointsByHand: true });
    try {
      for (const change of ['INSERT', 'UPDATE']) {
        other.run(
          `CREATE TRIGGER refuse_${change} BEFORE ${change} ON sources BEGIN SELECT RAISE(ROLLBACK, 'full'); END`,
        );
      }
      await expect(history.delete(id)).rejects.toMatchObject({
        code: 'storage_unavailable',
        message: expect.stringContaining('not deleted for good'),
      });
      expect(await history.page(id, 1, 10)).toEqual([]);
      for (const change of ['INSERT', 'UPDATE']) other.run(`DROP TRIGGER refuse_${change}`);
    } finally {
      other.close();
    }
    expect(await history.delete(id)).toEqual({ lines: 0, bytes: 0 });
    await history.close();
    await open({});
    expect(await history.page(id, 1, 10)).toEqual([]);
  });
});

/** Whether a segment of a source that is named holds a text; `kept` has the same texts. */
function inSegments(source: string, text: string): boolean {
  return readdirSync(join(folder, 'logs')).some((file) => {
    const bytes = readFileSync(join(folder, 'logs', file));
    return bytes.includes(source) && bytes.includes(text) && bytes.indexOf(text) !== bytes.lastIndexOf(text);
  });
}
