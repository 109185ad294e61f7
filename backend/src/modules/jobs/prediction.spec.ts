import { describe, expect, it } from '@jest/globals';
import type { StoredStep } from './job.js';
import { pendingSteps, predict } from './prediction.js';

function at(seconds: number): string {
  return new Date(seconds * 1000).toISOString();
}

function aStep(change: Partial<StoredStep>): StoredStep {
  return {
    name: 'joining-workers',
    title: '',
    weight: 10,
    planned: 10,
    learned: true,
    state: 'pending',
    started_at: null,
    finished_at: null,
    detail: null,
    ...change,
  };
}

/** A job with one step that took some seconds. */
function ran(seconds: number, change: Partial<StoredStep> = {}): StoredStep[] {
  return [aStep({ state: 'succeeded', started_at: at(0), finished_at: at(seconds), ...change })];
}

describe('pendingSteps', () => {
  const plan = { name: 'joining-workers', title: 'X', weight: 10 };

  it.each<[string, StoredStep[][], Partial<StoredStep>]>([
    ['keeps the weight without history', [], { weight: 10, learned: false }],
    ['ignores a failed run', [ran(300, { state: 'failed' })], { weight: 10, learned: false }],
    ['ignores a run of another step', [ran(3, { name: 'ready' })], { weight: 10, learned: false }],
    ['ignores a run of a version without plans', [ran(3, { planned: undefined })], { weight: 10 }],
    [
      'takes the median of the last 5 runs of the same size',
      [ran(9), ran(4), ran(5), ran(80), ran(6), ran(1000), ran(1000)],
      { weight: 6, planned: 10, learned: true },
    ],
    ['scales runs of another shape', [ran(4, { planned: 20 })], { weight: 2, learned: true }],
    ['prefers the same shape', [ran(4, { planned: 20 }), ran(3)], { weight: 3, learned: true }],
    ['learns nothing about a pull from a present image', [ran(0.1, { planned: 0.2 })], { learned: false }],
    ['ignores a clock that was set during a run', [ran(3600, { seconds: 3 })], { weight: 3, learned: true }],
    ['keeps a minimum for a step that takes no time', [ran(0)], { weight: 0.1, learned: true }],
  ])('%s', (_, ended, expected) => {
    expect(pendingSteps([plan], () => ended)[0]).toMatchObject(expected);
  });

  it('reads no earlier jobs for steps whose duration varies', () => {
    const [step] = pendingSteps([{ ...plan, varies: true }], () => {
      throw new Error('read');
    });
    expect(step).toMatchObject({ weight: 10, learned: false });
  });
});

describe('predict', () => {
  const done = aStep({ state: 'succeeded', weight: 5 });
  const running = aStep({ state: 'running' });
  const pending = aStep({ weight: 5 });
  const unknown = { learned: false };

  it.each<[string, StoredStep[], number, number, number, number | null]>([
    ['of a new job', [aStep({}), pending], 0, 0, 0, 15],
    ['by time inside a step', [done, running, pending], 0.9, 10, 50, 10],
    ['of a step that is late', [done, running, pending], 0, 25, 83.3, 5],
    ['of a job that is late', [done, running], 0, 45, 99, 0],
    [
      'by weights without history',
      [
        { ...done, ...unknown },
        { ...running, ...unknown },
      ],
      0.5,
      9,
      66.6,
      null,
    ],
    [
      'without seconds before a long unknown step',
      [done, running, { ...pending, ...unknown }],
      0,
      10,
      25,
      null,
    ],
    [
      'with seconds before a short unknown step',
      [done, running, { ...pending, weight: 1, ...unknown }],
      0,
      10,
      62.5,
      6,
    ],
    ['with seconds after an unknown step', [{ ...done, ...unknown }, running], 0, 10, 66.6, 5],
    ['of a job that skipped a step', [{ ...done, state: 'skipped' }, running], 0, 10, 66.6, 5],
    ['of a job without steps', [], 0, 5, 0, null],
  ])('%s', (_, steps, fraction, seconds, percent, secondsLeft) => {
    const elapsed = { job: seconds, step: Math.max(0, seconds - 5) };
    expect(predict(steps, fraction, elapsed)).toEqual({ percent, secondsLeft });
  });

  it('never goes backwards while time passes and steps end early or late', () => {
    const steps = [aStep({}), aStep({}), aStep({})];
    let [percent, left] = [0, Infinity];
    let [step, began] = [-1, 0];
    for (let now = 0; now < 40; now += 0.5) {
      if ([0, 4, 24].includes(now)) {
        if (step >= 0) steps[step] = aStep({ state: 'succeeded' });
        step += 1;
        steps[step] = aStep({ state: 'running' });
        began = now;
      }
      const next = predict(steps, 0, { job: now, step: now - began });
      expect(next.percent).toBeGreaterThanOrEqual(percent);
      expect(next.secondsLeft).toBeLessThanOrEqual(left);
      [percent, left] = [next.percent, next.secondsLeft ?? NaN];
    }
  });
});
