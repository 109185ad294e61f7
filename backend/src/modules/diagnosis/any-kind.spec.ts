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
const hull = (conditions: object[], status: object = {}): KubernetesObject => ({
  ...object('Hull', {}, { conditions, ...status }),
  apiVersion: 'yard.test/v1',
});
/** The API server converts the conditions to an annotation. */
const autoscalerV1 = (conditions: object[]): KubernetesObject => {
  const of = object('HorizontalPodAutoscaler', {}, { currentReplicas: 1 }, 'shop');
  const annotations = { 'autoscaling.alpha.kubernetes.io/conditions': JSON.stringify(conditions) };
  return { ...of, apiVersion: 'autoscaling/v1', metadata: { ...of.metadata, annotations } };
};
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
      'Hull hull reports: failed: no dock.',
      facts(hull([], { phase: 'Failed', message: 'no dock', reason: 'failed' })),
      'failed: no dock',
    ],
    [
      'reported_failure',
      'Hull hull reports: no capacity.',
      facts(hull([], { phase: 'PartiallyFailed', failureMessage: 'no capacity', errors: 3 })),
      'no capacity',
    ],
    [
      'reported_failure',
      'Hull hull reports: timed out.',
      facts(hull([], { health: { status: 'Degraded', message: 'timed out' } })),
      'timed out',
    ],
    ['reported_failure', 'Hull hull reports: Errored.', facts(hull([], { state: 'Errored' })), 'Errored'],
    [
      'reported_failure',
      'Hull hull reports: ComparisonError is True: no access.',
      facts(hull([{ type: 'ComparisonError', message: 'no access' }])),
      'ComparisonError is True: no access',
    ],
    [
      'reported_failure',
      'Hull hull reports: Released is False (InstallFailed): timed out.',
      facts(hull([{ type: 'Released', status: 'False', reason: 'InstallFailed', message: 'timed out' }])),
      'Released is False (InstallFailed): timed out',
    ],
    [
      'reported_failure',
      'Hull hull reports: Succeeded is False (TaskNotFound): no Task.',
      facts(hull([{ type: 'Succeeded', status: 'False', reason: 'TaskNotFound', message: 'no Task' }])),
      'Succeeded is False (TaskNotFound): no Task',
    ],
    [
      'reported_failure',
      'Hull hull reports: NotReady is True: no keel.',
      facts(hull([condition('NotReady', 'no keel')])),
      'NotReady is True: no keel',
    ],
    [
      'reported_failure',
      'HTTPRoute shop reports: ResolvedRefs is False (BackendNotFound): Service gone does not exist.',
      facts(
        object(
          'HTTPRoute',
          {},
          {
            parents: [
              {
                conditions: [
                  {
                    ...condition('ResolvedRefs', 'Service gone does not exist'),
                    status: 'False',
                    reason: 'BackendNotFound',
                  },
                ],
              },
            ],
          },
          'shop',
        ),
      ),
      'ResolvedRefs is False (BackendNotFound): Service gone does not exist',
    ],
    [
      'reported_failure',
      'Pod web-1 reports: DisruptionTarget is True: evicted.',
      facts(pod({ phase: 'Failed', conditions: [condition('DisruptionTarget', 'evicted')] })),
      'DisruptionTarget is True: evicted',
    ],
    [
      'reported_failure',
      'Job nightly reports: FailureTarget is True: limit reached.',
      facts(
        object(
          'Job',
          {},
          { active: 1, conditions: [condition('FailureTarget', 'limit reached')] },
          'nightly',
        ),
      ),
      'FailureTarget is True: limit reached',
    ],
    [
      'reported_failure',
      'Node n reports: KernelDeadlock is True: task blocked.',
      facts(object('Node', {}, { conditions: [condition('KernelDeadlock', 'task blocked')] }, 'n')),
      'KernelDeadlock is True: task blocked',
    ],
    [
      'reported_failure',
      'CronJob nightly reports: UnknownTimeZone (4 times): x.',
      ((of) => facts(of, [event(of, 'UnknownTimeZone', 'x')]))(object('CronJob', {}, {}, 'nightly')),
      'UnknownTimeZone (4 times): x',
    ],
    [
      'reported_failure',
      'Service lb reports: SyncLoadBalancerFailed (4 times): no quota.',
      ((of) => facts(of, [event(of, 'SyncLoadBalancerFailed', 'no quota')]))(
        object('Service', { type: 'LoadBalancer' }, {}, 'lb'),
      ),
      'SyncLoadBalancerFailed (4 times): no quota',
    ],
    [
      'reported_failure',
      'HorizontalPodAutoscaler shop reports: FailedGetScale (4 times): no Deployment shop.',
      ((of) => facts(of, [event(of, 'FailedGetScale', 'no Deployment shop')]))(
        object('HorizontalPodAutoscaler', {}, { desiredReplicas: 0 }, 'shop'),
      ),
      'FailedGetScale (4 times): no Deployment shop',
    ],
    [
      'reported_failure',
      'HorizontalPodAutoscaler shop reports: ScalingActive is False (FailedGetResourceMetric): no metrics.',
      facts(
        autoscalerV1([
          { type: 'AbleToScale', status: 'True' },
          {
            type: 'ScalingActive',
            status: 'False',
            reason: 'FailedGetResourceMetric',
            message: 'no metrics',
          },
        ]),
      ),
      'ScalingActive is False (FailedGetResourceMetric): no metrics',
    ],
    [
      'being_deleted',
      'Pod web-1 is being deleted: waiting for the kubelet of node w1 to end its containers.',
      ((of) => facts(of, [event(of, 'FailedKillPod', 'no response')]))(
        deleted(pod({ phase: 'Running' }, RUNNING, { nodeName: 'w1' })),
      ),
      'FailedKillPod (4 times): no response',
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

  it('leave an autoscaler of autoscaling/v1 alone whose annotation says that it works', () => {
    const of = autoscalerV1([{ type: 'ScalingActive', status: 'True' }]);
    expect(isHealthy(facts(of, [event(of, 'FailedGetResourceMetric', 'no metrics')]))).toBe(true);
  });

  it.each([
    ['CronJob', 'UnexpectedJob'],
    ['Service', 'FailedToUpdateEndpointSlices'],
  ])('leave a %s alone after %s, which nothing takes back', (kind, reason) => {
    const of = object(kind, {}, {}, 'usual');
    expect(isHealthy(facts(of, [event(of, reason, 'x')]))).toBe(true);
  });

  it.each([
    ['Bound', true],
    ['Lost', false],
  ])('know whether a PersistentVolumeClaim that is %s works after ProvisioningFailed', (phase, works) => {
    const claim = object('PersistentVolumeClaim', { storageClassName: 'fast' }, { phase });
    const of = facts(claim, [event(claim, 'ProvisioningFailed', 'no such class')]);
    expect([isHealthy(of), findCauses(of).length === 0]).toEqual([works, works]);
  });

  it.each<[string, object[], object]>([
    ['is true in lowercase', [{ type: 'Ready', status: 'true' }], {}],
    ['runs', [{ type: 'Succeeded', status: 'Unknown', reason: 'Running' }], { phase: 'Running' }],
    [
      'has found no errors',
      [{ type: 'Checked', status: 'False', reason: 'NoErrors' }],
      { phase: 'NoErrors' },
    ],
    ['fails over', [], { phase: 'FailoverRunning' }],
  ])('leave an object alone that %s', (_title, conditions, status) => {
    expect(isHealthy(facts(hull(conditions, status)))).toBe(true);
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
