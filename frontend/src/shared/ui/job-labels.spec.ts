import { describe, expect, it } from '@jest/globals';
import type { JobDto, StepState } from '../api/api-types';
import { aJob } from '../testing/records';
import { cancelLabel, ifCanceled } from './job-labels';

function startAt(state: StepState): JobDto {
  const step = { title: 'Removing the old nodes', started_at: null, finished_at: null, detail: null };
  return aJob({ kind: 'start', progress_steps: [{ ...step, name: 'removing-old-nodes', state }] });
}

describe('ifCanceled', () => {
  it.each<[StepState, RegExp, string]>([
    ['pending', /^Nothing changes until the old nodes are removed/, 'Cancel job'],
    ['running', /^Slipway is removing the old nodes/, 'Cancel job'],
    ['succeeded', /^The old nodes are already removed/, 'Cancel: the old nodes are already removed'],
  ])('of a start with a new config promises no nodes if their removal is %s', (state, text, label) => {
    expect(ifCanceled(startAt(state))).toMatch(text);
    expect(ifCanceled(startAt(state))).not.toContain('keep running');
    expect(cancelLabel(startAt(state))).toBe(label);
  });

  it.each<[JobDto['kind'], RegExp]>([
    ['drain', /^The job has not started/],
    ['addon-upgrade', /^The job has not started/],
    ['create', /saved config/],
  ])('of a queued %s job promises nothing about what it would do', (kind, text) => {
    expect(ifCanceled(aJob({ kind, state: 'queued', progress_steps: [] }))).toMatch(text);
  });

  it('of another start says that started nodes keep running', () => {
    expect(ifCanceled(aJob({ kind: 'start', progress_steps: [] }))).toContain('keep running');
  });
});
