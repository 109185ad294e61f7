import {
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
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
import { linesIn as linesOnDisk, OwnerSteps } from '../../../../../test/support/logs/owner-steps.js';
import { LogHistory } from './index.js';

/** Rounds of damage; each opens a store. */
const ROUNDS = 10;

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'durability-'));
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Numbers between 0 and 1, the same in each run. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

function textOf(source: number, index: number): string {
  return `source ${source} line ${index} ${(index * 2_654_435_761) % 99_991}`;
}

/** A folder with two sources of 3,000 lines, in blocks and segments, as a process leaves it that is killed. */
async function killed(): Promise<{ copy: string; ids: number[] }> {
  const original = join(folder, 'original');
  const history = await LogHistory.open(original, NO_LIMITS, SMALL);
  const ids = ['a', 'b'].map((name) => history.source(identityOf(name)));
  for (let first = 0; first < 3000; first += 50) {
    for (const id of ids) {
      const lines = Array.from({ length: 50 }, (_, index) =>
        newLine(textOf(id, first + index), START + first + index),
      );
      history.append(id, lines);
    }
    if (first % 250 === 0) await new Promise((resolve) => setTimeout(resolve, 130));
  }
  await new Promise((resolve) => setTimeout(resolve, 1000));
  const copy = join(folder, 'killed');
  cpSync(original, copy, { recursive: true });
  await history.close();
  return { copy, ids };
}

/** How many lines of each source a folder gives back; every one has to be the one that it was. */
async function linesIn(
  path: string,
  ids: readonly number[],
): Promise<{ counts: number[]; notice: string | null }> {
  const history = await LogHistory.open(path, NO_LIMITS, SMALL);
  try {
    const counts: number[] = [];
    for (const id of ids) {
      const lines = await history.page(id, 1, 10_000);
      for (const { seq, text, time } of lines) {
        expect([text, time]).toEqual([textOf(id, seq - 1), START + seq - 1]);
      }
      expect(lines.map(({ seq }) => seq)).toEqual(
        [...new Set(lines.map(({ seq }) => seq))].sort((a, b) => a - b),
      );
      counts.push(lines.length);
      // It goes on as if nothing had been.
      const next = history.extent(id)?.nextSeq ?? 1;
      expect(history.append(id, [newLine(textOf(id, next - 1), START + next - 1)])).toBe(next);
    }
    return { counts, notice: history.notice };
  } finally {
    await history.close();
  }
}

describe('a history whose process was killed', () => {
  it('has every line that was taken in a second before', async () => {
    const { copy, ids } = await killed();
    expect(readdirSync(copy)).toContain('logs.db-wal');
    expect(await linesIn(copy, ids)).toEqual({ counts: [3000, 3000], notice: null });
  });

  it('has all lines before the place where its newest segment is cut, or garbage', async () => {
    const { copy, ids } = await killed();
    const random = randomFrom(7);
    for (let round = 0; round < ROUNDS; round += 1) {
      const damaged = join(folder, `segment-${round}`);
      cpSync(copy, damaged, { recursive: true });
      const newest = join(damaged, 'logs', readdirSync(join(damaged, 'logs')).sort().at(-1) ?? '');
      const before = readFileSync(newest);
      const at = Math.floor(random() * before.length);
      if (round % 2 === 0) truncateSync(newest, at);
      else writeFileSync(newest, Buffer.concat([before.subarray(0, at), Buffer.from('garbage! '.repeat(9))]));
      // A line takes 30 bytes at least, and a frame that is cut is lost whole.
      const lost = before.length - at;
      const { counts, notice } = await linesIn(damaged, ids);
      expect(notice).toBeNull();
      expect(6000 - (counts[0] as number) - (counts[1] as number)).toBeLessThanOrEqual(600 + lost / 30);
      rmSync(damaged, { recursive: true });
    }
  });

  it.each([1, 2, 710899, Math.floor(Math.random() * 1e6)])(
    'has every line and none that is gone, with the log of its database cut anywhere, at any moment: %i',
    async (seed) => {
      const random = randomFrom(seed);
      const original = join(folder, 'original');
      const steps = new OwnerSteps(original);
      const [loud, quiet] = [steps.add(1, 'loud'), steps.add(2, 'quiet')];
      let passing = steps.add(3, 'passing');
      const written = new Map<number, string[]>();
      const write = (source: typeof loud, most: number): void => {
        const known = written.get(source.id) ?? [];
        const count = Math.ceil(random() * most);
        const texts = Array.from({ length: count }, (_, index) => textOf(source.id, known.length + index));
        steps.write(source, texts);
        written.set(source.id, [...known, ...texts]);
      };
      /** What a source gives back when nothing is lost. */
      const expected = (id: number): [number, string][] =>
        (written.get(id) ?? [])
          .map((text, index): [number, string] => [index + 1, text])
          .filter(([seq]) => seq >= (steps.sources.get(id)?.firstSeq ?? Infinity));
      let cuts = 0;
      // Some seeds have emptied the log at most of the moments that are looked at.
      for (let step = 0; step < 300 || (cuts <= 4 && step < 3000); step += 1) {
        const choice = random();
        if (choice < 0.3) write(loud, 100);
        else if (choice < 0.35) write(quiet, 10);
        else if (choice < 0.4) write(passing, 50);
        else if (choice < 0.75) steps.tidy();
        else if (choice < 0.95) steps.release();
        else if (choice < 0.98) steps.forget(loud, 1);
        else {
          // It goes, and one with its key comes.
          steps.forget(passing, passing.entries.length);
          steps.handle({ type: 'remove', source: passing.id });
          steps.sources.delete(passing.id);
          passing = steps.add(passing.id + 1, 'passing');
        }
        if (random() > 0.2) continue;
        const copy = join(folder, `cut-${step}`);
        cpSync(original, copy, { recursive: true });
        const log = join(copy, 'logs.db-wal');
        const { size } = statSync(log);
        truncateSync(log, random() < 0.2 ? 0 : Math.floor(random() * size));
        rmSync(join(copy, 'logs.db-shm'), { force: true });
        const { lines, notice, troubles } = await linesOnDisk(copy);
        expect({ step, notice, troubles }).toEqual({ step, notice: null, troubles: [] });
        for (const id of new Set([...lines.keys(), ...written.keys()])) {
          expect({ step, id, lines: [...(lines.get(id) ?? [])] }).toEqual({ step, id, lines: expected(id) });
        }
        if (size > 0) cuts += 1;
        rmSync(copy, { recursive: true });
      }
      steps.close();
      // Otherwise nothing of this was shown.
      expect(cuts).toBeGreaterThan(4);
      expect(steps.troubles).toEqual([]);
    },
  );

  it('puts a damaged database aside, tells it, and keeps what is in segments, with who wrote it', async () => {
    const { copy, ids } = await killed();
    writeFileSync(join(copy, 'logs.db'), 'this is no database'.repeat(1000));
    rmSync(join(copy, 'logs.db-wal'));
    const { counts, notice } = await linesIn(copy, ids);
    expect(notice).toMatch(
      /^The older lines could not be read \(.+\) and were put aside as .+logs\.db\.damaged-.+\.$/,
    );
    expect(Math.min(...counts)).toBeGreaterThan(100);
    const history = await LogHistory.open(copy, NO_LIMITS, SMALL);
    expect(history.sources().map(({ identity }) => identity.name)).toEqual(['a', 'b']);
    expect((await findIn(history, { text: 'source' })).texts.length).toBe(
      (counts[0] as number) + (counts[1] as number) + 2,
    );
    await history.close();
  });
});
