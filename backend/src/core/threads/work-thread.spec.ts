import { describe, expect, it } from '@jest/globals';
import { MAX_ON_MAIN_THREAD } from './is-large.js';
import { WorkThread } from './work-thread.js';
import { beside, endless, failing, greedy, threadOf } from '../../../../test/support/threads/work.js';

const thread = new WorkThread(beside, 'work', { milliseconds: 20_000, memoryMb: 64 });
const LARGE = 'x'.repeat(MAX_ON_MAIN_THREAD);

describe('WorkThread', () => {
  it('handles small input on the main thread, and large input in a thread', async () => {
    const where = thread.forAnySize(threadOf);
    expect(await where('small')).toBe('main');
    expect(await where(LARGE)).toBe('thread');
    expect(await where({ texts: Array.from({ length: 3000 }, String) })).toBe('thread');
  });

  it('runs concurrent calls one after the other', async () => {
    const where = thread.forAnySize(threadOf);
    expect(await Promise.all([where(LARGE), where(LARGE), where(LARGE)])).toEqual(Array(3).fill('thread'));
  });

  it('throws the domain errors of the function', async () => {
    await expect(thread.forAnySize(failing)(LARGE)).rejects.toMatchObject({
      name: 'DomainError',
      code: 'config_refused',
      message: 'too large',
      details: [{ line: 1 }],
    });
  });

  it.each([
    ['memory', greedy],
    ['time', endless],
  ])('ends a function that takes too much %s, and runs the next call', async (_, work) => {
    const short = new WorkThread(beside, 'work', { milliseconds: 3000, memoryMb: 64 });
    const [ended, next] = await Promise.allSettled([
      short.forAnySize(work)(LARGE),
      short.forAnySize(threadOf)(LARGE),
    ]);
    expect(ended).toMatchObject({
      reason: { code: 'invalid_input', message: expect.stringContaining('Could not read the text') },
    });
    expect(next).toMatchObject({ value: 'thread' });
  });
});
