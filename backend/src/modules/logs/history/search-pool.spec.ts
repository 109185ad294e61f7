import { setTimeout as delay } from 'node:timers/promises';
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
