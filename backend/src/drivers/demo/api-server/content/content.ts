import { storageKey } from '../api-types.js';
import type { ClusterState } from '../cluster-state.js';
import { ownerReference } from '../controllers/controller.js';
import { withPodDefaults } from '../controllers/pod-state.js';
import type { ApiObject, KubeNode, Pod } from '../shapes.js';
import { METRICS_CHART } from '../../package-manager/demo-charts.js';
import { recordSecret } from '../../package-manager/release-records.js';
import { draftOf, manifestObjects } from '../../package-manager/rendering.js';
import type { Writing } from '../writing/writing.js';
import { SHOP_MANIFESTS } from './shop-manifests.js';
import { STATIC_PODS, SYSTEM_MANIFESTS } from './system-manifests.js';

/** Seconds of demo time from the making of a cluster until somebody has put an app into it. */
const APP_AFTER_SECONDS = 22;
const NAMESPACES = ['default', 'kube-node-lease', 'kube-public', 'kube-system', 'local-path-storage'];
const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';

interface Lease extends ApiObject {
  spec: { holderIdentity: string; leaseDurationSeconds: number; renewTime: string };
}

/** Puts into a cluster what a kind cluster begins with, and an app of somebody. */
export function fill(state: ClusterState, writing: Writing): void {
  const image = state.machine.nodes().find(({ role }) => role === 'control-plane')?.image ?? '';
  const version = /:(v\d+\.\d+\.\d+)/.exec(image)?.[1] ?? 'v1.34.4';
  state.store.subscribe(({ type, kind, object }) => {
    if (type === 'nodes' && kind === 'ADDED') addNodeParts(state, object, version);
  });
  for (const name of NAMESPACES) {
    create(state, writing, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } }, 'kubeadm');
  }
  for (const object of manifestObjects(SYSTEM_MANIFESTS.replaceAll('VERSION', version))) {
    create(state, writing, object, 'kubeadm');
  }
  for (const object of metricsRelease(state.timeline.time)) create(state, writing, object, 'helm');
  state.timeline.after(APP_AFTER_SECONDS, () => {
    for (const object of manifestObjects(SHOP_MANIFESTS)) {
      const annotations = { ...object.metadata.annotations, [LAST_APPLIED]: `${JSON.stringify(object)}\n` };
      const applied = { ...object, metadata: { ...object.metadata, annotations } };
      create(state, writing, applied, 'kubectl-client-side-apply');
    }
  });
}

/** The metrics-server, as helm would have installed it. */
function metricsRelease(time: string): ApiObject[] {
  const request = {
    chart: METRICS_CHART,
    release: METRICS_CHART.name,
    namespace: 'kube-system',
    values: 'args:\n  - --kubelet-insecure-tls\n',
  };
  const draft = draftOf(request, time);
  const record = { ...draft, revision: 1, status: 'deployed' as const, description: 'Install complete' };
  return [...manifestObjects(draft.manifest), recordSecret(record)];
}

function create(state: ClusterState, writing: Writing, object: ApiObject, fieldManager: string): void {
  const type = state.types.findKind(object.apiVersion, object.kind);
  if (!type) throw new Error(`the demo's API server does not serve ${object.apiVersion} ${object.kind}`);
  writing.create(
    { type, namespace: object.metadata.namespace },
    {
      body: JSON.stringify(object),
      contentType: 'application/json',
      query: new URLSearchParams({ fieldManager }),
    },
  );
}

/** What each node brings: its lease, and on a control plane the pods that kubeadm describes in files. */
function addNodeParts(state: ClusterState, node: KubeNode, version: string): void {
  const { name, labels } = node.metadata;
  const owner = { ...ownerReference(node), controller: undefined, blockOwnerDeletion: undefined };
  state.create<Lease>(storageKey({ group: 'coordination.k8s.io', plural: 'leases' }), {
    apiVersion: 'coordination.k8s.io/v1',
    kind: 'Lease',
    metadata: { name, namespace: 'kube-node-lease', ownerReferences: [owner] },
    spec: {
      holderIdentity: name,
      leaseDurationSeconds: 40,
      renewTime: new Date(state.timeline.now).toISOString(),
    },
  });
  if (labels?.['node-role.kubernetes.io/control-plane'] === undefined) return;
  for (const part of STATIC_PODS) {
    const { cpu, memory } = part;
    state.create<Pod>('pods', {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: {
        name: `${part.name}-${name}`,
        namespace: 'kube-system',
        labels: { component: part.name, tier: 'control-plane' },
        annotations: {
          'kubernetes.io/config.source': 'file',
          'kubernetes.io/config.mirror': state.names.suffix(),
        },
        ownerReferences: [{ ...owner, controller: true }],
      },
      spec: withPodDefaults({
        nodeName: name,
        hostNetwork: true,
        priorityClassName: 'system-node-critical',
        tolerations: [{ operator: 'Exists', effect: 'NoExecute' }],
        containers: [
          {
            name: part.name,
            image: part.image.replace('VERSION', version),
            resources: { requests: { cpu, memory } },
          },
        ],
      }),
      status: { phase: 'Pending', qosClass: 'Burstable' },
    });
  }
}
