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

async function fate(
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

describe('what becomes of a pod that is deleted', () => {
  it('is told with the whole chain of its owners', async () => {
    const told = await fate(
      { metadata: controlledBy('ReplicaSet', 'web-abc') },
      replicaSet({ replicas: 2 }, controlledBy('Deployment', 'web')),
    );
    expect(told).toMatchObject({
      owner: { kind: 'ReplicaSet', name: 'web-abc', owner: { kind: 'Deployment', name: 'web' } },
      comesBack: true,
      reason:
        'The replica set web-abc of the deployment web makes another one in its place, under a new name.',
    });
  });

  it.each<[string, boolean, RegExp, Parameters<typeof kubernetesObject>[2], Owner[]]>([
    ['nobody’s', false, /^Nobody owns it/, {}, []],
    [
      'of an owner that is gone',
      false,
      /web-abc, is gone/,
      { metadata: controlledBy('ReplicaSet', 'web-abc') },
      [],
    ],
    [
      'of an owner that took the name of its own',
      false,
      /is gone/,
      { metadata: controlledBy('ReplicaSet', 'web-abc') },
      [replicaSet({ replicas: 1 }, { uid: 'another' })],
    ],
    [
      'of an older revision',
      false,
      /wants no replicas/,
      { metadata: controlledBy('ReplicaSet', 'web-abc') },
      [replicaSet({ replicas: 0 })],
    ],
    [
      'of an owner that is being deleted',
      false,
      /is being deleted/,
      { metadata: controlledBy('ReplicaSet', 'web-abc') },
      [replicaSet({ replicas: 1 }, { deletionTimestamp: '2026-01-01T00:00:00Z' })],
    ],
    [
      'of a stateful set',
      true,
      /under the same name/,
      { metadata: controlledBy('StatefulSet', 'web') },
      [['statefulsets', kubernetesObject('StatefulSet', 'web', { spec: { replicas: 2 } })]],
    ],
    [
      'of a stateful set that was scaled down',
      false,
      /wants only 1 replicas/,
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
    ['of a job at work', true, /runs another one/, { ...ofJob, status: { phase: 'Running' } }, [job({})]],
    [
      'of a job, completed',
      false,
      /has done its part of the job import/,
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
      'of a kind that is not known here',
      true,
      /up to the rollout web/,
      { metadata: controlledBy('Rollout', 'web', 'argoproj.io/v1alpha1') },
      [],
    ],
  ])('for a pod %s: comes back %s', async (_what, comesBack, reason, pod, owners) => {
    const told = await fate(pod, ...owners);
    expect(told).toMatchObject({ comesBack, isReal: true });
    expect(told.reason).toMatch(reason);
  });

  it('is nothing for a static one, which is its kubelet’s', async () => {
    const told = await fate({
      metadata: {
        annotations: { 'kubernetes.io/config.mirror': 'x' },
        ...controlledBy('Node', 'demo-control-plane', 'v1'),
      },
      spec: { nodeName: 'demo-control-plane' },
    });
    expect(told).toMatchObject({ isReal: false, comesBack: true, owner: { kind: 'Node' } });
    expect(told.reason).toContain('kubelet of demo-control-plane');
  });

  it('is not guessed where the cluster does not answer', async () => {
    const api = new ScriptedResources();
    api.read = () => Promise.reject(new DomainError('cluster_unreachable', 'It does not answer.'));
    const pod = kubernetesObject('Pod', 'web-1', { metadata: controlledBy('ReplicaSet', 'web-abc') });
    await expect(restartOutcome(api, pod)).rejects.toMatchObject({ code: 'cluster_unreachable' });
  });
});
