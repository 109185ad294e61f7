import { describe, expect, it } from '@jest/globals';
import {
  ended,
  event,
  facts,
  object,
  pod,
  READY,
  RUNNING,
  secondsAgo,
  unschedulable,
  waiting,
} from '../../../../test/support/kubernetes/diagnosed-objects.js';
import { findCauses, isHealthy } from './explain.js';
import type { Facts } from './facts.js';

const unready = pod({ phase: 'Running' }, { ...RUNNING, ready: false });
const killed = pod(
  { phase: 'Running' },
  { state: { waiting: { reason: 'CrashLoopBackOff' } }, lastState: ended(137), restartCount: 2 },
);
const ofWeb = { container: 'web' };
const claim = object('PersistentVolumeClaim', { storageClassName: 'fast' }, { phase: 'Pending' }, 'data');
const noClass = event(claim, 'ProvisioningFailed', 'storageclass.storage.k8s.io "fast" not found');
const replicaSet = object('ReplicaSet', { replicas: 1 });
const labelled = { selector: { app: 'web' }, ports: [{ port: 80, targetPort: 'http' }] };

const REFUSED = 'pods "x" is forbidden: violates PodSecurity "restricted:latest": privileged';
const agent = object('DaemonSet', {}, { desiredNumberScheduled: 1 }, 'agent');
describe('RULES', () => {
  it.each<[code: string, message: string, of: Facts, evidence: string]>([
    [
      'image_pull',
      'Container web cannot start: image shop/web:9 cannot be pulled (ImagePullBackOff).',
      facts(waiting('ImagePullBackOff', 'Back-off pulling image "shop/web:9"')),
      'ImagePullBackOff: Back-off pulling image "shop/web:9"',
    ],
    [
      'image_pull',
      'Container web cannot start: image shop/web:9 cannot be pulled because docker.io cannot be reached (name not found).',
      facts(waiting('ImagePullBackOff', 'ErrImagePull: dial tcp: lookup registry-1.docker.io: no such host')),
      'ImagePullBackOff: ErrImagePull: dial tcp: lookup registry-1.docker.io: no such host',
    ],
    [
      'config_map_missing',
      'Container web cannot start: ConfigMap settings does not exist.',
      facts(waiting('CreateContainerConfigError', 'configmap "settings" not found')),
      'CreateContainerConfigError: configmap "settings" not found',
    ],
    [
      'secret_missing',
      'Container web cannot start: Secret shop/db has no key password.',
      facts(waiting('CreateContainerConfigError', "couldn't find key password in Secret shop/db")),
      "CreateContainerConfigError: couldn't find key password in Secret shop/db",
    ],
    [
      'secret_missing',
      'The Pod cannot mount a volume: Secret tls does not exist.',
      ((of) =>
        facts(of, [
          event(of, 'FailedMount', 'MountVolume.SetUp failed for volume "tls" : secret "tls" not found'),
        ]))(waiting('ContainerCreating', '')),
      'FailedMount (4 times): MountVolume.SetUp failed for volume "tls" : secret "tls" not found',
    ],
    [
      'out_of_memory',
      'Container web was killed because it exceeded its memory limit of 64Mi (OOMKilled), after 3 restarts.',
      facts(waiting('CrashLoopBackOff', 'back-off', { lastState: ended(137, 'OOMKilled'), restartCount: 3 })),
      'Terminated: OOMKilled, exit code 137',
    ],
    [
      'probe',
      'The readiness probe of container web fails, so it gets no traffic from Services.',
      facts(unready, [event(unready, 'Unhealthy', 'Readiness probe failed: HTTP 500', ofWeb)]),
      'Unhealthy (4 times): Readiness probe failed: HTTP 500',
    ],
    [
      'probe',
      'The liveness probe of container web fails, so the kubelet restarts it, after 2 restarts.',
      facts(killed, [event(killed, 'Unhealthy', 'Liveness probe failed: timeout', ofWeb)]),
      'Unhealthy (4 times): Liveness probe failed: timeout',
    ],
    [
      'crash',
      'Container web exited with code 127 (the command does not exist), after 1 restart.',
      facts(waiting('CrashLoopBackOff', 'back-off', { lastState: ended(127), restartCount: 1 })),
      'Terminated: Error, exit code 127',
    ],
    [
      'crash',
      'Container web exited with code 3, after 2 restarts.',
      facts(
        pod(
          { phase: 'Running', conditions: READY },
          {
            state: { running: { startedAt: secondsAgo(2) } },
            ready: true,
            lastState: ended(3),
            restartCount: 2,
          },
        ),
      ),
      'Terminated: Error, exit code 3',
    ],
    [
      'volume_claim_unbound',
      'The Pod cannot be scheduled: PersistentVolumeClaim data is not bound.',
      facts(
        unschedulable('0/1 nodes are available: pod has unbound immediate PersistentVolumeClaims.'),
        [],
        [facts(claim, [noClass])],
      ),
      'ProvisioningFailed (4 times): storageclass.storage.k8s.io "fast" not found',
    ],
    [
      'volume_claim_unbound',
      'The PersistentVolumeClaim is not bound: its StorageClass fast provides no volume.',
      facts(claim, [noClass]),
      'Phase: Pending',
    ],
    [
      'insufficient_resources',
      'The Pod cannot be scheduled: no node has enough free CPU and memory.',
      facts(
        unschedulable(
          '0/2 nodes are available: 1 Insufficient cpu, 1 Insufficient memory, 1 node(s) had untolerated taint(s).',
        ),
      ),
      'Unschedulable: 0/2 nodes are available: 1 Insufficient cpu, 1 Insufficient memory, 1 node(s) had untolerated taint(s).',
    ],
    [
      'insufficient_resources',
      'The Pod cannot be scheduled: no node has enough free CPU.',
      facts(unschedulable('0/2 nodes are available: 2 Insufficient cpu. no new claims to deallocate.')),
      'Unschedulable: 0/2 nodes are available: 2 Insufficient cpu. no new claims to deallocate.',
    ],
    [
      'insufficient_resources',
      'The node could not run the Pod: it has too little CPU, memory or disk (Evicted).',
      facts(pod({ phase: 'Failed', reason: 'Evicted', message: 'The node was low on resource: memory.' })),
      'Evicted: The node was low on resource: memory.',
    ],
    [
      'scheduling_constraint',
      'The Pod cannot be scheduled: no node matches its nodeSelector or node affinity; it does not tolerate the taints of the nodes.',
      facts(
        unschedulable(
          "0/2 nodes are available: 1 node(s) didn't match Pod's node affinity/selector, 1 node(s) had untolerated taint(s).",
        ),
      ),
      "Unschedulable: 0/2 nodes are available: 1 node(s) didn't match Pod's node affinity/selector, 1 node(s) had untolerated taint(s).",
    ],
    [
      'quota_exceeded',
      'ReplicaSet replicaset cannot create Pods: ResourceQuota small does not allow more.',
      facts(replicaSet, [
        event(
          replicaSet,
          'FailedCreate',
          'Error creating: pods "x" is forbidden: exceeded quota: small, requested: pods=1',
        ),
      ]),
      'FailedCreate (4 times): Error creating: pods "x" is forbidden: exceeded quota: small, requested: pods=1',
    ],
    [
      'pods_not_created',
      'ReplicaSet replicaset cannot create Pods: pods "x" is forbidden: violates PodSecurity "restricted:latest": privileged.',
      facts(
        object(
          'ReplicaSet',
          { replicas: 1 },
          {
            conditions: [
              { type: 'ReplicaFailure', status: 'True', reason: 'FailedCreate', message: REFUSED },
            ],
          },
        ),
      ),
      REFUSED,
    ],
    [
      'pods_not_created',
      'DaemonSet agent cannot create Pods: maximum memory usage per Container is 16Mi.',
      facts(agent, [event(agent, 'FailedCreate', 'maximum memory usage per Container is 16Mi')]),
      'FailedCreate (4 times): maximum memory usage per Container is 16Mi',
    ],
    [
      'job_deadline',
      'The Job did not complete within its activeDeadlineSeconds of 5 s, so its Pods were deleted.',
      facts(
        object(
          'Job',
          { activeDeadlineSeconds: 5 },
          {
            conditions: [
              {
                type: 'Failed',
                status: 'True',
                reason: 'DeadlineExceeded',
                message: 'Job was active longer',
              },
            ],
          },
        ),
      ),
      'DeadlineExceeded: Job was active longer',
    ],
    [
      'no_endpoints',
      'The Service has no endpoints: no Pod matches its selector app=web.',
      facts(object('Service', labelled)),
      'Selector: app=web',
    ],
    [
      'no_endpoints',
      'The Service has no endpoints: no container has a port with the name http.',
      facts(object('Service', labelled), [], [facts(unready)]),
      'Selector: app=web',
    ],
    [
      'no_endpoints',
      'The Service has no endpoints: none of its 1 Pods is ready.',
      facts(object('Service', { selector: { app: 'web' } }), [], [facts(unready)]),
      'Selector: app=web',
    ],
  ])('explains %s: %s', (code, message, of, evidence) => {
    expect(isHealthy(of)).toBe(false);
    const causes = findCauses(of);
    expect(causes.map((cause) => [cause.code, cause.message])).toEqual([[code, message]]);
    expect(causes[0]?.evidence.map(({ text }) => text)).toContain(evidence);
    expect(causes[0]?.nextStep).toMatch(/\.$/);
  });

  it.each<[string, Facts]>([
    [
      'a ready Pod with an old crash',
      facts(
        pod(
          { phase: 'Running', conditions: READY },
          { ...RUNNING, lastState: ended(1, 'Error', 7200), restartCount: 1 },
        ),
      ),
    ],
    ['a completed Pod', facts(pod({ phase: 'Succeeded' }, { state: ended(0, 'Completed') }))],
    [
      'a ReplicaSet with all Pods and an old quota event',
      facts(object('ReplicaSet', { replicas: 1 }, { readyReplicas: 1 }), []),
    ],
    ['a running Job', facts(object('Job', {}, { active: 1 }))],
    ['a bound PersistentVolumeClaim', facts(object('PersistentVolumeClaim', {}, { phase: 'Bound' }))],
    [
      'a Service with a ready Pod',
      facts(
        object('Service', { selector: { app: 'web' } }),
        [],
        [facts(pod({ phase: 'Running', conditions: READY }, RUNNING))],
      ),
    ],
    ['a Service without a selector', facts(object('Service', { type: 'ExternalName' }))],
  ])('finds no cause for %s', (_title, of) => {
    expect([isHealthy(of), findCauses(of)]).toEqual([true, []]);
  });

  it('says what the registry did, by the event if the state does not say it', () => {
    const of = waiting('ImagePullBackOff', 'Back-off pulling image "shop/web:9"');
    const denied = 'Failed to pull image "shop/web:9": pull access denied, repository does not exist';
    const [cause] = findCauses(facts(of, [event(of, 'Failed', denied, ofWeb)]));
    expect(cause).toMatchObject({
      message:
        'Container web cannot start: image shop/web:9 cannot be pulled because docker.io does not allow it.',
      nextStep:
        'Check the name of the image, add imagePullSecrets for the registry, or load it from this machine.',
    });
    expect(cause?.evidence).toHaveLength(2);
  });

  it('does not blame a refusal of the past once all Pods exist', () => {
    const made = object('ReplicaSet', { replicas: 1 }, { replicas: 1 });
    expect(findCauses(facts(made, [event(made, 'FailedCreate', REFUSED)]))).toEqual([]);
  });
});
