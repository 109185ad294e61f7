import { describe, expect, it } from '@jest/globals';
import { anObject, aType } from '../../../shared/testing/resource-records';
import { rolloutText } from './rollout';

function rolloutOf(
  kind: string,
  spec: Record<string, unknown>,
  status: Record<string, unknown>,
): string | null {
  return rolloutText(anObject({ type: aType({ group: 'apps', kind }), spec, status }));
}

describe('rolloutText', () => {
  it.each([
    ['Deployment', { replicas: 3 }, { updatedReplicas: 3, availableReplicas: 3 }, 'Complete'],
    [
      'Deployment',
      { replicas: 3 },
      { updatedReplicas: 1, availableReplicas: 3 },
      'In progress: 1 of 3 updated',
    ],
    [
      'Deployment',
      { replicas: 2 },
      { updatedReplicas: 1, conditions: [{ reason: 'ProgressDeadlineExceeded' }] },
      'Stalled: 1 of 2 updated (ProgressDeadlineExceeded)',
    ],
    ['Deployment', { replicas: 2, paused: true }, { updatedReplicas: 1 }, 'Paused: 1 of 2 updated'],
    [
      'StatefulSet',
      { replicas: 2 },
      { updatedReplicas: 2 },
      'In progress: 0 of 2 updated Pods are available',
    ],
    [
      'DaemonSet',
      {},
      { desiredNumberScheduled: 2, updatedNumberScheduled: 2, numberAvailable: 2 },
      'Complete',
    ],
    ['ReplicaSet', { replicas: 2 }, {}, null],
  ])('describes a %s with %j and %j as %j', (kind, spec, status, text) => {
    expect(rolloutOf(kind, spec, status)).toBe(text);
  });
});
