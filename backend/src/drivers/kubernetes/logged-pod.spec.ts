import { describe, expect, it } from '@jest/globals';
import { toLoggedPod } from './logged-pod.js';
import type {
  ContainerState,
  ObjectSpec,
  ObjectStatus,
  KubernetesObject,
  ObjectMetadata,
} from './object-fields.js';

const STARTED = '2026-11-21T09:00:00Z';
const AGAIN = '2026-11-21T09:05:00Z';

const pod = (
  more: { spec?: ObjectSpec; status?: ObjectStatus },
  metadata: Partial<ObjectMetadata> = {},
): KubernetesObject => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { uid: 'u-1', namespace: 'shop', name: 'web-6d4cf56db6-x2x7k', ...metadata },
  ...more,
});

describe('toLoggedPod', () => {
  it('lists the containers in their start order with their roles', () => {
    const result = toLoggedPod(
      pod({
        spec: {
          containers: [{ name: 'web' }],
          initContainers: [
            { name: 'migrate' },
            { name: 'proxy', restartPolicy: 'Always' },
            // Since Kubernetes 1.34, an init container can have other policies; this one is not a sidecar.
            { name: 'retry', restartPolicy: 'OnFailure' },
          ],
          ephemeralContainers: [{ name: 'debugger-7kx2p' }],
        },
        status: {
          containerStatuses: [{ name: 'web', restartCount: 0, state: { running: { startedAt: AGAIN } } }],
          initContainerStatuses: [
            { name: 'migrate', restartCount: 0, state: { terminated: { startedAt: STARTED } } },
            {
              name: 'proxy',
              restartCount: 2,
              state: { running: { startedAt: AGAIN } },
              lastState: { terminated: { startedAt: STARTED } },
            },
            { name: 'retry', restartCount: 1, state: { terminated: { startedAt: STARTED } } },
          ],
          ephemeralContainerStatuses: [
            { name: 'debugger-7kx2p', restartCount: 0, state: { running: { startedAt: AGAIN } } },
          ],
        },
      }),
    );
    expect(result).toEqual({
      uid: 'u-1',
      namespace: 'shop',
      name: 'web-6d4cf56db6-x2x7k',
      workload: null,
      owner: null,
      containers: [
        { name: 'migrate', role: 'init', running: false, waiting: null, restarts: 0, startedAt: STARTED },
        { name: 'proxy', role: 'sidecar', running: true, waiting: null, restarts: 2, startedAt: AGAIN },
        { name: 'retry', role: 'init', running: false, waiting: null, restarts: 1, startedAt: STARTED },
        { name: 'web', role: 'main', running: true, waiting: null, restarts: 0, startedAt: AGAIN },
        {
          name: 'debugger-7kx2p',
          role: 'ephemeral',
          running: true,
          waiting: null,
          restarts: 0,
          startedAt: AGAIN,
        },
      ],
    });
  });

  it.each<[string, object, string]>([
    [
      'a node',
      { conditions: [{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable' }] },
      'Unschedulable',
    ],
    ['its status', { containerStatuses: null, conditions: null }, 'Pending'],
    [
      'its image',
      { containerStatuses: [{ name: 'web', state: { waiting: { reason: 'ImagePullBackOff' } } }] },
      'ImagePullBackOff',
    ],
    [
      'its init containers',
      { containerStatuses: [{ name: 'web', state: { waiting: { reason: 'PodInitializing' } } }] },
      'PodInitializing',
    ],
  ])('reports that a Pod waits for %s', (_what, status = {}, waiting) => {
    const { containers } = toLoggedPod(pod({ spec: { containers: [{ name: 'web' }] }, status }));
    expect(containers).toEqual([
      { name: 'web', role: 'main', running: false, waiting, restarts: 0, startedAt: null },
    ]);
  });

  it.each<[string, ContainerState, string | null]>([
    [
      'that waits for a restart',
      { waiting: { reason: 'CrashLoopBackOff' } },
      'CrashLoopBackOff, exit code 1',
    ],
    [
      'that was out of memory',
      { terminated: { startedAt: AGAIN, reason: 'OOMKilled', exitCode: 137 } },
      'OOMKilled, exit code 137',
    ],
    [
      'that was killed',
      { terminated: { startedAt: AGAIN, reason: 'Error', exitCode: 137 } },
      'exit code 137',
    ],
    ['that has succeeded', { terminated: { startedAt: AGAIN, reason: 'Completed', exitCode: 0 } }, null],
    ['without a reason', { terminated: { startedAt: AGAIN } }, null],
    ['that was restarted', { running: { startedAt: AGAIN } }, null],
  ])('gives the reason of a container %s', (_which, state, waiting) => {
    const status = {
      name: 'web',
      restartCount: 3,
      state,
      lastState: { terminated: { startedAt: AGAIN, reason: 'Error', exitCode: 1 } },
    };
    const { containers } = toLoggedPod(
      pod({ spec: { containers: [{ name: 'web' }] }, status: { containerStatuses: [status] } }),
    );
    expect(containers).toEqual([
      { name: 'web', role: 'main', running: 'running' in state, waiting, restarts: 3, startedAt: AGAIN },
    ]);
  });

  it.each<[object, { kind: string; name: string } | null]>([
    [
      {
        ownerReferences: [{ kind: 'ReplicaSet', name: 'web-6d4cf56db6', controller: true }],
        labels: { 'pod-template-hash': '6d4cf56db6' },
      },
      { kind: 'Deployment', name: 'web' },
    ],
    [
      { ownerReferences: [{ kind: 'ReplicaSet', name: 'bare', controller: true }] },
      { kind: 'ReplicaSet', name: 'bare' },
    ],
    [
      {
        ownerReferences: [
          { kind: 'ConfigMap', name: 'c' },
          { kind: 'Job', name: 'import', controller: true },
        ],
      },
      { kind: 'Job', name: 'import' },
    ],
    [
      {
        creationTimestamp: '2025-11-19T05:00:01Z',
        ownerReferences: [{ kind: 'Job', name: 'nightly-report-29392140', controller: true }],
      },
      { kind: 'CronJob', name: 'nightly-report' },
    ],
    [
      {
        creationTimestamp: '2026-11-28T05:00:01Z',
        ownerReferences: [{ kind: 'Job', name: 'import-29735640', controller: true }],
      },
      { kind: 'Job', name: 'import-29735640' },
    ],
    [
      { ownerReferences: [{ kind: 'Job', name: 'import-20261123', controller: true }] },
      { kind: 'Job', name: 'import-20261123' },
    ],
    [
      { ownerReferences: [{ kind: 'Job', name: 'migrate-1732345678', controller: true }] },
      { kind: 'Job', name: 'migrate-1732345678' },
    ],
    [{ ownerReferences: [{ kind: 'Node', name: 'n1', controller: true }] }, null],
    [{ ownerReferences: null, labels: null }, null],
  ])('belongs to its workload: %j', (metadata, workload) => {
    expect(toLoggedPod(pod({}, metadata))).toMatchObject({ workload, containers: [] });
  });

  it('names its controller beside its workload', () => {
    const owner = { kind: 'ReplicaSet', name: 'web-6d4cf56db6' };
    const labels = { 'pod-template-hash': '6d4cf56db6' };
    const ownerReferences = [
      { kind: 'Other', name: 'other' },
      { ...owner, controller: true },
    ];
    expect(toLoggedPod(pod({}, { labels, ownerReferences }))).toMatchObject({
      workload: { kind: 'Deployment', name: 'web' },
      owner,
    });
  });
});
