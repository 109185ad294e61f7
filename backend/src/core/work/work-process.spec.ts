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
/** Longer than a test may take. */
const UNLIMITED_MS = 600_000;
const work = new WorkProcess(beside, 'work');

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
    ['memory', greedy, UNLIMITED_MS],
    // In a thread, this one would end the whole process.
    ['memory at once', doubling, UNLIMITED_MS],
    ['time', endless, 500],
    ['time in a regex', backtracking, 500],
  ])('ends a function that takes too much %s, and runs the next call', async (_, hostile, milliseconds) => {
    const limited = new WorkProcess(beside, 'work', { milliseconds, memoryMb: 64 });
    const [ended, next] = await Promise.allSettled([
      limited.forAnySize<[string], unknown>(hostile)(LARGE),
      limited.forAnySize(processId)(LARGE),
    ]);
    expect(ended).toMatchObject({
      reason: { code: 'invalid_input', message: expect.stringContaining('Could not read the text') },
    });
    expect(next).toMatchObject({ value: expect.any(Number) });
  });

  it('reports a process that does not start', async () => {
    const missing = new WorkProcess(beside, 'missing');
    await expect(missing.run('any', [])).rejects.toThrow('the process missing ended');
  });
});
