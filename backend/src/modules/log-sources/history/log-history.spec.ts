import { mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
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
import type { LogLine } from '../../../drivers/log-store/index.js';
import { LogHistory } from './index.js';

let folder: string;
let history: LogHistory;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'history-'));
  history = await LogHistory.open(folder, NO_LIMITS, SMALL);
});

afterEach(async () => {
  await history.close();
  rmSync(folder, { recursive: true, force: true });
});

async function again(limits = NO_LIMITS): Promise<void> {
  await history.close();
  history = await LogHistory.open(folder, limits, SMALL);
}

describe('the history of log lines', () => {
  it('gives a line back as it was taken in, at once and after a restart', async () => {
    const id = history.source(identityOf('api'));
    const lines = [
      newLine('plain', START),
      newLine('Grüße \u001b[31mrot\u001b[0m 😀', START + 1, { stream: 'stderr', level: 'error' }),
      newLine('', START + 2, { stream: null, continues: true }),
      newLine('x'.repeat(64 * 1024), START - 7_000_000_000, { cut: 123_456_789, level: 'trace' }),
      newLine('back in time', 5, { level: 'fatal' }),
    ];
    expect(history.append(id, lines)).toBe(1);
    const kept = lines.map((entry, index) => ({ ...entry, seq: index + 1 }));
    expect(await history.page(id, 1, 10)).toEqual(kept);
    expect(await history.page(id, 2, 2)).toEqual(kept.slice(1, 3));
    expect(history.extent(id)).toMatchObject({
      firstSeq: 1,
      nextSeq: 6,
      firstTime: START,
      lastTime: START + 2,
    });
    await again();
    expect(history.source(identityOf('api'))).toBe(id);
    expect(await history.page(id, 1, 10)).toEqual(kept);
    expect(history.append(id, [newLine('next', START)])).toBe(6);
    expect(history.extent(id)).toMatchObject({ lastTime: START + 2 });
  });

  it.each(['its database', 'its segments alone'])(
    'keeps the name that a source has now, by %s',
    async (way) => {
      const before = identityOf('api');
      const id = history.source(before);
      history.append(id, [newLine('deleted', START)]);
      await history.delete(id);
      history.append(id, [newLine('old', START + 1)]);
      const after = { ...before, name: 'web', workload: 'Compose/shop' };
      expect(history.source(after)).toBe(id);
      history.append(id, [newLine('new', START + 2)]);
      await history.close();
      if (way !== 'its database') rmSync(join(folder, 'logs.db'));
      history = await LogHistory.open(folder, NO_LIMITS, SMALL);
      expect(history.sources()).toMatchObject([{ id, identity: after, extent: { firstSeq: 2, nextSeq: 4 } }]);
      expect((await history.page(id, 1, 10)).map(({ text }) => text)).toEqual(['old', 'new']);
    },
  );

  it('waits with what cannot be written, says why, and keeps all of it', async () => {
    const reasons: string[] = [];
    await history.close();
    history = await LogHistory.open(folder, NO_LIMITS, {
      ...SMALL,
      onTrouble: (reason) => reasons.push(reason),
    });
    const id = history.source(identityOf('api'));
    const segments = join(folder, 'logs');
    renameSync(segments, `${segments}-away`);
    history.append(id, [newLine('one', START), newLine('two', START + 1)]);
    await waitFor(() => reasons.length > 0, 'a reason', 10_000);
    expect(reasons[0]).toContain('ENOENT');
    const texts = async (): Promise<string[]> => (await history.page(id, 1, 10)).map(({ text }) => text);
    expect(await texts()).toEqual(['one', 'two']);
    renameSync(`${segments}-away`, segments);
    await waitFor(() => readdirSync(segments).length > 0, 'a segment', 10_000);
    await again();
    expect(await texts()).toEqual(['one', 'two']);
  });

  it('keeps every line in its place while segments are put in order and compressed', async () => {
    const ids = ['a', 'b', 'c'].map((name) => history.source(identityOf(name)));
    const texts = new Map<number, string[]>(ids.map((id) => [id, []]));
    for (let round = 0; round < 400; round += 1) {
      for (const id of ids) {
        const lines = Array.from({ length: 10 }, (_, index) =>
          newLine(
            `source ${id} line ${round * 10 + index} of many, with some words`,
            START + round * 1000 + index,
          ),
        );
        history.append(id, lines);
        texts.get(id)?.push(...lines.map(({ text }) => text));
      }
      await history.room();
      if (round % 50 === 0) await new Promise((resolve) => setTimeout(resolve, 120));
    }
    for (const step of ['before', 'after'] as const) {
      for (const id of ids) {
        const all: LogLine[] = [];
        while (all.length < 4000) all.push(...(await history.page(id, all.length + 1, 700)));
        expect(all.map(({ text }) => text)).toEqual(texts.get(id));
        expect(all.map(({ seq }) => seq)).toEqual(Array.from({ length: 4000 }, (_, index) => index + 1));
      }
      if (step === 'before') await again();
    }
    const { texts: hits, end } = await findIn(history, { text: 'line 1234 ', limit: 10 });
    expect(hits.sort()).toEqual(ids.map((id) => `source ${id} line 1234 of many, with some words`));
    expect(end).toMatchObject({ type: 'end', searched: 12_000, matched: 3, reason: 'complete' });
  });
});
