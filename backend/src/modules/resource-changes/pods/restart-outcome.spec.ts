import { describe, expect, it } from '@jest/globals';
import {
  controlledBy,
  kubernetesObject,
  ScriptedResources,
} from '../../../../../test/support/kubernetes/scripted-resources.js';
import { DomainError } from '../../../core/errors/index.js';
import type { KubernetesObject } from '../../../drivers/kubernetes/index.js';
import { restartOutcome, type RestartOutcome } from './restart-outcome.js';

type Owner = [plural: string, object: KubernetesObject];

async function outcomeOf(
  pod: Parameters<typeof kubernetesObject>[2],
  ...owners: Owner[]
): Promise<RestartOutcome> {
  const api = new ScriptedResources();
  for (const [plural, object] of owners) api.put(plural, object);
  return await restartOutcome(api, kubernetesObject('Pod', 'web-1', { namespace: 'shop', ...pod }));
}

const replicaSet = (spec: object, metadata: object = {}): Owner => [
  'replicasets',
  kubernetesObject('ReplicaSet', 'web-abc', { apiVersion: 'apps/v1', spec, metadata }),
];
const job = (status: object, spec: object = {}): Owner => [
  'jobs',
  kubernetesObject('Job', 'import', { apiVersion: 'batch/v1', status, spec }),
];
const ofJob = { metadata: controlledBy('Job', 'import', 'batch/v1') };

describe('restartOutcome', () => {
  it('returns the owner, its owner and the reason', async () => {
    const outcome = await outcomeOf(
      { metadata: controlledBy('ReplicaSet', 'web-abc') },
      replicaSet({ replicas: 2 }, controlledBy('Deployment', 'web')),
    );
    expect(outcome).toMatchObject({
      owner: { kind: 'ReplicaSet', name: 'web-abc', owner: { kind: 'Deployment', name: 'web' } },
      comesBack: true,
      reason: 'The replica set web-abc of the deployment web creates a replacement with a new name.',
    });
  });

  it.each<[string, boolean, RegExp, Parameters<typeof kubernetesObject>[2], Owner[]]>([
    ['without a controller', false, /^It has no controller/, {}, []],
    [
      'of a deleted controller',
      false,
      /web-abc, no longer exists/,
      { metadata: controlledBy('ReplicaSet', 'web-abc') },
      [],
    ],
    [
      'of a controller that was recreated with the same name',
      false,
      /no longer exists/,
      { metadata: controlledBy('ReplicaSet', 'web-abc') },
      [replicaSet({ replicas: 1 }, { uid: 'another' })],
    ],
    [
      'of an older revision',
      false,
      /is scaled to 0 replicas/,
      { metadata: controlledBy('ReplicaSet', 'web-abc') },
      [replicaSet({ replicas: 0 })],
    ],
    [
      'of a controller that is being deleted',
      false,
      /is being deleted/,
      { metadata: controlledBy('ReplicaSet', 'web-abc') },
      [replicaSet({ replicas: 1 }, { deletionTimestamp: '2026-01-01T00:00:00Z' })],
    ],
    [
      'of a stateful set',
      true,
      /with the same name/,
      { metadata: controlledBy('StatefulSet', 'web') },
      [['statefulsets', kubernetesObject('StatefulSet', 'web', { spec: { replicas: 2 } })]],
    ],
    [
      'of a stateful set that was scaled down',
      false,
      /is scaled to 1 replicas/,
      { metadata: controlledBy('StatefulSet', 'web') },
      [['statefulsets', kubernetesObject('StatefulSet', 'web', { spec: { replicas: 1 } })]],
    ],
    [
      'of a daemon set',
      true,
      /on the same node/,
      { metadata: controlledBy('DaemonSet', 'agent') },
      [['daemonsets', kubernetesObject('DaemonSet', 'agent')]],
    ],
    ['of a running job', true, /runs a replacement/, { ...ofJob, status: { phase: 'Running' } }, [job({})]],
    [
      'of a job, completed',
      false,
      /has completed its part of the job import/,
      { ...ofJob, status: { phase: 'Succeeded' } },
      [job({})],
    ],
    [
      'of a job that is complete',
      false,
      /is complete/,
      { ...ofJob, status: { phase: 'Failed' } },
      [job({ conditions: [{ type: 'Complete', status: 'True' }] })],
    ],
    ['of a suspended job', false, /is suspended/, ofJob, [job({}, { suspend: true })]],
    [
      'of a custom controller',
      true,
      /depends on the rollout web/,
      { metadata: controlledBy('Rollout', 'web', 'argoproj.io/v1alpha1') },
      [],
    ],
  ])('for a pod %s, comesBack is %s', async (_what, comesBack, reason, pod, owners) => {
    const outcome = await outcomeOf(pod, ...owners);
    expect(outcome).toMatchObject({ comesBack, isReal: true });
    expect(outcome.reason).toMatch(reason);
  });

  it('reports that deleting a static pod restarts nothing', async () => {
    const outcome = await outcomeOf({
      metadata: {
        annotations: { 'kubernetes.io/config.mirror': 'x' },
        ...controlledBy('Node', 'demo-control-plane', 'v1'),
      },
      spec: { nodeName: 'demo-control-plane' },
    });
    expect(outcome).toMatchObject({ isReal: false, comesBack: true, owner: { kind: 'Node' } });
    expect(outcome.reason).toContain('kubelet of demo-control-plane');
  });

  it('throws if the cluster is unreachable', async () => {
    const api = new ScriptedResources();
    api.read = () => Promise.reject(new DomainError('cluster_unreachable', 'It does not respond.'));
    const pod = kubernetesObject('Pod', 'web-1', { metadata: controlledBy('ReplicaSet', 'web-abc') });
    await expect(restartOutcome(api, pod)).rejects.toMatchObject({ code: 'cluster_unreachable' });
  });
});
