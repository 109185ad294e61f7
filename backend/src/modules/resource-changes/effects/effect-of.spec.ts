import { describe, expect, it } from '@jest/globals';
import { controlledBy, kubernetesObject } from '../../../../../test/support/kubernetes/scripted-resources.js';
import { effectOfDeletion, effectOfRestart, effectOfScale } from './effect-of.js';

const type = (group: string, plural: string, kind: string): Parameters<typeof effectOfRestart>[0] => ({
  group,
  plural,
  kind,
});
const deployments = type('apps', 'deployments', 'Deployment');
const claims = type('', 'persistentvolumeclaims', 'PersistentVolumeClaim');
const web = kubernetesObject('Deployment', 'web', { spec: { replicas: 3 } });
const outcome = { owner: null, isReal: true };

describe('the effect of', () => {
  it.each([
    ['a restart of a Deployment', effectOfRestart(deployments, web, {}), '3 Pods are replaced.', false],
    [
      'a restart of a DaemonSet',
      effectOfRestart(
        type('apps', 'daemonsets', 'DaemonSet'),
        kubernetesObject('DaemonSet', 'agent', { status: { desiredNumberScheduled: 1 } }),
        {},
      ),
      '1 Pod is replaced.',
      false,
    ],
    [
      'a restart of a workload that replaces nothing by itself',
      effectOfRestart(
        type('apps', 'statefulsets', 'StatefulSet'),
        kubernetesObject('StatefulSet', 'db', { spec: { updateStrategy: { type: 'OnDelete' } } }),
        {},
      ),
      'Its update strategy is OnDelete. Delete each pod to replace it.',
      false,
    ],
    [
      'a restart of a Pod without a controller',
      effectOfRestart(type('', 'pods', 'Pod'), kubernetesObject('Pod', 'bare'), {
        outcome: { ...outcome, comesBack: false, reason: 'It has no controller, so it is not recreated.' },
      }),
      'It has no controller, so it is not recreated.',
      true,
    ],
    ['a scale', effectOfScale(deployments, 3, 1), 'From 3 to 1 replica. 2 Pods are deleted.', false],
    ['a scale that changes nothing', effectOfScale(deployments, 3, 3), 'Keeps 3 replicas.', false],
    [
      'a deletion of a Deployment',
      effectOfDeletion(deployments, reference('web'), web, {}),
      'Its 3 Pods are deleted too.',
      true,
    ],
    [
      'a deletion of what a controller owns',
      effectOfDeletion(
        type('apps', 'replicasets', 'ReplicaSet'),
        reference('web-1'),
        kubernetesObject('ReplicaSet', 'web-1', { metadata: controlledBy('Deployment', 'web') }),
        {},
      ),
      'The deployment web may create it again.',
      false,
    ],
    [
      'a deletion of a claim with a deleted volume',
      effectOfDeletion(claims, reference('data'), kubernetesObject('PersistentVolumeClaim', 'data'), {
        volume: kubernetesObject('PersistentVolume', 'pv-1', {
          spec: { persistentVolumeReclaimPolicy: 'Delete' },
        }),
      }),
      'The data in its volume pv-1 is deleted too.',
      true,
    ],
    [
      'a deletion of an object without dependents',
      effectOfDeletion(
        type('', 'configmaps', 'ConfigMap'),
        reference('a'),
        kubernetesObject('ConfigMap', 'a'),
        {},
      ),
      'It is not recreated.',
      true,
    ],
  ])('%s', (_what, { sentence, loss }, expected, isLoss) => {
    expect([sentence, loss]).toEqual([expected, isLoss]);
  });

  it('a change that cannot be made is its reason', () => {
    const paused = kubernetesObject('Deployment', 'web', { spec: { paused: true } });
    const pods = type('', 'pods', 'Pod');
    const mirror = { ...outcome, isReal: false, comesBack: true, reason: 'It is a static pod.' };
    expect([
      effectOfRestart(deployments, paused, {}),
      effectOfRestart(type('', 'configmaps', 'ConfigMap'), web, {}),
      effectOfRestart(pods, kubernetesObject('Pod', 'etcd'), { outcome: mirror }),
      effectOfScale(pods, null, 2),
    ]).toMatchObject([
      { possible: false, sentence: 'Its rollout is paused. Resume it first.' },
      { possible: false, sentence: 'A config map cannot be restarted.' },
      { possible: false, sentence: 'It is a static pod.' },
      { possible: false, sentence: 'The pod cannot be scaled.' },
    ]);
  });
});

function reference(name: string): Parameters<typeof effectOfDeletion>[1] {
  return { group: '', version: 'v1', plural: 'any', namespace: 'shop', name };
}
