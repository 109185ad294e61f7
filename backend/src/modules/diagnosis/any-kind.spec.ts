import { describe, expect, it } from '@jest/globals';
import {
  ended,
  event,
  facts,
  object,
  pod,
  RUNNING,
  secondsAgo,
  waiting,
} from '../../../../test/support/kubernetes/diagnosed-objects.js';
import type { KubernetesObject } from '../../drivers/kubernetes/index.js';
import { findCauses, isHealthy } from './explain.js';
import type { Facts } from './facts.js';

const killed = pod({ phase: 'Running' }, { state: ended(137) });
const condition = (type: string, message: string): object => ({ type, status: 'True', message });
const hull = (conditions: object[]): KubernetesObject => ({
  ...object('Hull', {}, { conditions }),
  apiVersion: 'yard.test/v1',
});
const deleted = (of: KubernetesObject, metadata: object = {}): KubernetesObject => ({
  ...of,
  metadata: { ...of.metadata, deletionTimestamp: secondsAgo(600), ...metadata },
});

describe('rules of any kind', () => {
  it.each<[code: string, message: string, of: Facts, evidence: string]>([
    [
      'reported_failure',
      'Hull hull reports: READY is False (Stuck): keel missing.',
      facts(
        hull([
          { type: 'Synced', status: 'False' },
          { type: 'READY', status: 'False', reason: 'Stuck', message: 'keel missing' },
        ]),
      ),
      'Synced is False',
    ],
    [
      'reported_failure',
      'Hull hull reports: ReconcileError (4 times): no dock.',
      ((of) => facts(of, [event(of, 'ReconcileError', 'no dock')]))(hull([])),
      'ReconcileError (4 times): no dock',
    ],
    [
      'reported_failure',
      'Service hull reports: Ready is Unknown.',
      facts({ ...hull([{ type: 'Ready', status: 'Unknown' }]), kind: 'Service' }),
      'Ready is Unknown',
    ],
    [
      'reported_failure',
      'Container web reports: CreateContainerConfigError: container has runAsNonRoot and image will run as root.',
      facts(waiting('CreateContainerConfigError', 'container has runAsNonRoot and image will run as root')),
      'CreateContainerConfigError: container has runAsNonRoot and image will run as root',
    ],
    [
      'reported_failure',
      'Pod web-1 reports: FailedCreatePodSandBox (4 times): no CNI.',
      ((of) => facts(of, [event(of, 'FailedCreatePodSandBox', 'no CNI')]))(waiting('ContainerCreating', '')),
      'FailedCreatePodSandBox (4 times): no CNI',
    ],
    [
      'reported_failure',
      'Pod web-1 reports: NodeAffinity: Pod was rejected.',
      facts(pod({ phase: 'Failed', reason: 'NodeAffinity', message: 'Pod was rejected' })),
      'NodeAffinity: Pod was rejected',
    ],
    [
      'being_deleted',
      'ConfigMap held is being deleted: waiting for the finalizer case.test/keep.',
      facts(deleted(object('ConfigMap', {}, {}, 'held'), { finalizers: ['case.test/keep'] })),
      'Finalizer: case.test/keep',
    ],
    [
      'being_deleted',
      'Pod web-1 is being deleted: waiting for the finalizer case.test/keep.',
      facts(deleted(killed, { finalizers: ['case.test/keep'] })),
      'Being deleted',
    ],
    [
      'being_deleted',
      'Pod web-1 is being deleted: waiting for the kubelet of node c-worker to end its containers.',
      facts(deleted(pod({ phase: 'Running' }, RUNNING, { nodeName: 'c-worker' }))),
      'Being deleted',
    ],
    [
      'being_deleted',
      'Namespace never-ends is being deleted: Discovery failed: ghost.case.test/v1beta1; Some content has finalizers: case.test/keep.',
      facts(
        deleted(
          object(
            'Namespace',
            { finalizers: ['kubernetes'] },
            {
              conditions: [
                condition('NamespaceDeletionDiscoveryFailure', 'Discovery failed: ghost.case.test/v1beta1'),
                { type: 'NamespaceDeletionContentFailure', status: 'False', message: 'All content deleted' },
                condition('NamespaceFinalizersRemaining', 'Some content has finalizers: case.test/keep'),
              ],
            },
            'never-ends',
          ),
        ),
      ),
      'NamespaceDeletionDiscoveryFailure is True: Discovery failed: ghost.case.test/v1beta1',
    ],
  ])('explain %s: %s', (code, message, of, evidence) => {
    expect(isHealthy(of)).toBe(false);
    const causes = findCauses(of);
    expect(causes.map((cause) => [cause.code, cause.message])).toEqual([[code, message]]);
    expect(causes[0]?.evidence.map(({ text }) => text)).toContain(evidence);
    expect(causes[0]?.nextStep).toMatch(/\.$/);
  });

  it('leave an object alone whose last event is no warning', () => {
    const of = hull([]);
    const found = facts(of, [event(of, 'Synced', 'done', { type: 'Normal' })]);
    expect([isHealthy(found), findCauses(found)]).toEqual([true, []]);
  });

  it.each<[string, Facts]>([
    ['starts', facts(waiting('ContainerCreating', ''))],
    [
      'was scheduled after a failure',
      ((of) => facts(of, [event(of, 'FailedScheduling', '0/1 nodes are available')]))(
        pod(
          {
            phase: 'Pending',
            conditions: [
              {
                type: 'Ready',
                status: 'False',
                reason: 'ContainersNotReady',
                message: 'containers with unready status',
              },
            ],
          },
          undefined,
          { nodeName: 'c-worker' },
        ),
      ),
    ],
    ['ends', facts(deleted(pod({ phase: 'Running' }, RUNNING), { deletionTimestamp: secondsAgo(-30) }))],
  ])('finds no cause for a Pod that %s', (_title, of) => {
    expect([isHealthy(of), findCauses(of)]).toEqual([false, []]);
  });
});
