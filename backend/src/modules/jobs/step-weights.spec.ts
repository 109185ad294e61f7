import { describe, expect, it } from '@jest/globals';
import type { StoredStep } from './job.js';
import { pendingSteps } from './step-weights.js';

function ran(seconds: number, state: StoredStep['state'] = 'succeeded'): StoredStep[] {
  const [started_at, finished_at] = [0, seconds].map((at) => new Date(at * 1000).toISOString());
  return [
    { name: 'addon-x', title: '', weight: 30, state, started_at, finished_at, detail: null } as StoredStep,
  ];
}

describe('pendingSteps', () => {
  const weightAfter = (...jobs: StoredStep[][]): number | undefined =>
    pendingSteps([{ name: 'addon-x', title: 'X', weight: 30, learned: true }], () => jobs)[0]?.weight;

  it('weighs a learned step by the median of its last 5 runs that succeeded', () => {
    expect(weightAfter()).toBe(30);
    expect(weightAfter(ran(300, 'failed'))).toBe(30);
    expect(weightAfter(ran(9), ran(4), ran(5), ran(80), ran(6), ran(1000), ran(1000))).toBe(6);
    expect(weightAfter(ran(0))).toBe(0.1);
  });

  it('reads no earlier jobs for other steps', () => {
    const [step] = pendingSteps([{ name: 'addon-x', title: 'X', weight: 30 }], () => {
      throw new Error('read');
    });
    expect(step).toMatchObject({ weight: 30, state: 'pending' });
  });
});
