import { setImmediate as othersTurn, setTimeout as delay } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import { identityOf, newLine, queryOf, START } from '../../../../../test/support/logs/history.js';
import { planSearch } from './search-plan.js';
import { SearchAborted, SearchPool } from './search-pool.js';
import { SourceLines } from './source-lines.js';

it('a thread ends soon where nobody wants what it searches, also while it starts', async () => {
  const source = new SourceLines(1, identityOf('a'), { firstSeq: 1, nextSeq: 1, lastTime: 0 });
  source.append([newLine(`${'a'.repeat(40)}!`, START)]);
  const query = { ...queryOf({ text: '^(a+)+$', regex: true }), limit: 10 };
  const units = planSearch(query, [source]);
  expect(units).toHaveLength(1);
  // Some of them a moment before the thread is ready.
  for (let after = 100; after <= 700; after += 40) {
    const pool = new SearchPool({ segments: '/nowhere', database: '/nowhere/logs.db' });
    const ending = new AbortController();
    const answer = pool.run({ search: 1, query, units, buckets: null }, ending.signal);
    await delay(after);
    const began = performance.now();
    ending.abort();
    await expect(answer).rejects.toThrow(SearchAborted);
    expect(performance.now() - began).toBeLessThan(3000);
    await pool.close();
  }
}, 30_000);

it('a thread that is done is kept, however long the one that waits for it was held up', async () => {
  const source = new SourceLines(1, identityOf('a'), { firstSeq: 1, nextSeq: 1, lastTime: 0 });
  source.append([newLine('one', START)]);
  const query = { ...queryOf({ text: 'one' }), limit: 10 };
  const units = planSearch(query, [source]);
  const pool = new SearchPool({ segments: '/nowhere', database: '/nowhere/logs.db' });
  const task = { search: 1, query, units, buckets: null };
  await pool.run(task, new AbortController().signal);
  const ending = new AbortController();
  // After this it is the turn of timers, before that of messages.
  await othersTurn();
  const answer = pool.run(task, ending.signal);
  ending.abort();
  // Nothing of this thread runs for longer than what is aborted may take.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 400);
  await expect(answer).resolves.toMatchObject({ units: [{ searched: 1 }] });
  await pool.close();
});
