import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import {
  findIn,
  identityOf,
  newLine,
  NO_LIMITS,
  queryOf,
  SMALL,
  START,
} from '../../../../../test/support/logs/history.js';
import type { Entry, Place } from './entry.js';
import { LogHistory } from './index.js';
import { planAgain, planSearch } from './search-plan.js';
import { SourceLines } from './source-lines.js';

/** Far enough from each other that they are not read at once. */
const FAR = 200_000;

function entry(firstSeq: number, endSeq: number, place: Place): Entry {
  return {
    source: 1,
    firstSeq,
    endSeq,
    firstTime: firstSeq,
    lastTime: endSeq - 1,
    textBytes: 100,
    diskBytes: 100,
    levels: 1,
    place,
  };
}

function segment(file: string, at: number): Place {
  return { kind: 'segment', file, at, length: 100 };
}

function sourceOf(...entries: Entry[]): SourceLines {
  const source = new SourceLines(1, identityOf('a'), { firstSeq: 1, nextSeq: 1, lastTime: 0 });
  for (const each of entries) source.restore(each);
  return source;
}

describe('a piece that is gone', () => {
  const file = '0000000001-0.log';

  it('is looked for where its lines are now, and no line beside it', () => {
    const source = sourceOf(entry(1, 11, segment(file, 0)), entry(11, 21, segment(file, FAR)));
    const planned = planSearch(queryOf({}), [source]);
    expect(planned.map(({ wanted }) => wanted)).toEqual([
      [{ source: 1, from: 11, to: 21 }],
      [{ source: 1, from: 1, to: 11 }],
    ]);
    const anew = '0000000001-1.log';
    source.replace(file, [entry(1, 21, segment(anew, 64))]);
    for (const unit of planned) {
      expect(planAgain(unit, [source])).toMatchObject([
        { wanted: unit.wanted, place: { file: anew, at: 64 } },
      ]);
    }
  });

  it('is given up where nothing else has its lines', () => {
    const source = sourceOf(entry(1, 11, segment(file, 0)), entry(11, 21, { kind: 'block', id: 7 }));
    const unit = planSearch(queryOf({}), [source]).find(({ place }) => place.kind === 'segment');
    expect(unit && planAgain(unit, [source])).toEqual([]);
  });
});

describe('a segment that somebody removed', () => {
  let history: LogHistory;
  let folder: string;

  afterEach(async () => {
    await history.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it('ends no search and no histogram, and hides no other line', async () => {
    folder = mkdtempSync(join(tmpdir(), 'plan-'));
    history = await LogHistory.open(folder, NO_LIMITS, SMALL);
    const id = history.source(identityOf('a'));
    history.append(id, [newLine('lost', START)]);
    await history.enforceLimits();
    await new Promise((resolve) => setTimeout(resolve, 150));
    await history.enforceLimits();
    const segments = join(folder, 'logs');
    for (const name of readdirSync(segments)) rmSync(join(segments, name));
    history.append(id, [newLine('kept', START + 1)]);
    const { matches, end } = await findIn(history, {});
    expect([matches.map(({ line }) => line.text), end?.reason]).toEqual([['kept'], 'complete']);
    const { reason } = await history.histogram(queryOf({}), 1, new AbortController().signal);
    expect(reason).toBe('complete');
  });
});
