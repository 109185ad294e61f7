import { describe, expect, it } from '@jest/globals';
import { MAX_ON_MAIN_THREAD } from './is-large.js';
import { WorkProcess } from './work-process.js';
import {
  backtracking,
  beside,
  doubling,
  endless,
  failing,
  greedy,
  processId,
} from '../../../../test/support/work/functions.js';

const LARGE = 'x'.repeat(MAX_ON_MAIN_THREAD);
const LIMITS = { milliseconds: 3000, memoryMb: 64 };
const work = new WorkProcess(beside, 'work', LIMITS);

describe('WorkProcess', () => {
  it('handles small input directly, and large input in a process', async () => {
    const where = work.forAnySize(processId);
    expect(await where('small')).toBe(process.pid);
    expect(await where(LARGE)).not.toBe(process.pid);
    expect(await where({ texts: Array.from({ length: 3000 }, String) })).not.toBe(process.pid);
  });

  it('runs concurrent calls in one process', async () => {
    const where = work.forAnySize(processId);
    expect(new Set(await Promise.all([where(LARGE), where(LARGE), where(LARGE)])).size).toBe(1);
  });

  it('throws the domain errors of the function', async () => {
    await expect(work.forAnySize(failing)(LARGE)).rejects.toMatchObject({
      name: 'DomainError',
      code: 'config_refused',
      message: 'too large',
      details: [{ line: 1 }],
    });
  });

  it.each([
    ['memory', greedy],
    // In a thread, this one would end the whole process.
    ['memory at once', doubling],
    ['time', endless],
    ['time in a regex', backtracking],
  ])('ends a function that takes too much %s, and runs the next call', async (_, greedyWork) => {
    const short = new WorkProcess(beside, 'work', LIMITS);
    const [ended, next] = await Promise.allSettled([
      short.forAnySize<[string], unknown>(greedyWork)(LARGE),
      short.forAnySize(processId)(LARGE),
    ]);
    expect(ended).toMatchObject({
      reason: { code: 'invalid_input', message: expect.stringContaining('Could not read the text') },
    });
    expect(next).toMatchObject({ value: expect.any(Number) });
  });

  it('reports a process that does not start', async () => {
    const missing = new WorkProcess(beside, 'missing', LIMITS);
    await expect(missing.run('any', [])).rejects.toThrow('the process missing ended');
  });
});
