import { describe, expect, it } from '@jest/globals';
import type { JobDto, JobStepDto } from '../../shared/api/api-types';
import { aJob } from '../../shared/testing/records';
import { nodeFill } from './node-fill';

describe('nodeFill', () => {
  const names = ['checks', 'preparing-nodes', 'starting-control-plane', 'joining-workers', 'ready'];

  function at(running: number, state: JobDto['state'] = 'running'): JobDto {
    return aJob({
      state,
      progress_steps: names.map((name, index): JobStepDto => ({
        name,
        title: name,
        state: index < running ? 'succeeded' : index === running ? 'running' : 'pending',
        started_at: null,
        finished_at: null,
        detail: null,
      })),
    });
  }

  it.each<[string, JobDto, ReturnType<typeof nodeFill>]>([
    ['is empty before the nodes', at(0), { controlPlane: 0, worker: 0 }],
    ['begins with the containers', at(1), { controlPlane: 0.5 / 3, worker: 0.5 / 3 }],
    ['goes on with the control plane', at(2), { controlPlane: 1.5 / 3, worker: 1 / 3 }],
    ['goes on with the workers', at(3), { controlPlane: 2 / 3, worker: 1.5 / 3 }],
    ['is full at the end', at(4, 'succeeded'), { controlPlane: 1, worker: 1 }],
    ['is gone after a failure', at(3, 'failed'), null],
  ])('%s', (_, job, fill) => {
    expect(nodeFill(job)).toEqual(fill);
  });
});
