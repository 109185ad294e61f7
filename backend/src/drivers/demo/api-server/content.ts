import type { ApiObject, KubeNode, OwnerReference, Pod } from './shapes.js';
import { chartOf, DEMO_CHARTS } from '../package-manager/demo-charts.js';
import { releaseSecret } from '../package-manager/release-records.js';
import { manifestObjects, renderRelease } from '../package-manager/rendering.js';
import { recordedText, yamlDocuments } from '../recorded.js';
import { storageKey } from './api-types.js';
import type { ClusterState } from './cluster-state.js';
import { ownerReference } from './controllers/controller.js';
import type { Writing } from './writing.js';

/** Seconds of demo time from the creation of a cluster until the shop is deployed. */
const SHOP_AFTER_SECONDS = 22;
const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';

/** Fills a new cluster with the recorded objects of a kind cluster, and later with those of a shop. */
export function fill(state: ClusterState, writing: Writing): void {
  const image = state.machine.nodes().find(({ role }) => role === 'control-plane')?.image ?? '';
  const version = /:(v\d+\.\d+\.\d+)/.exec(image)?.[1] ?? 'v1.34.4';
  const read = (file: string): ApiObject[] =>
    yamlDocuments(recordedText(file).replaceAll('VERSION', version));
  const add = (object: ApiObject): void => {
    const type = state.types.findKind(object.apiVersion, object.kind);
    if (!type) throw new Error(`The demo's API server does not serve ${object.apiVersion} ${object.kind}.`);
    writing.seed(type, {
      ...object,
      metadata: { ...object.metadata, ownerReferences: ownersOf(object, state) },
    });
  };
  const [lease, ...staticPods] = read('node.yaml');
  state.store.subscribe(({ type, kind, object }) => {
    if (type !== 'nodes' || kind !== 'ADDED') return;
    const { name, labels } = object.metadata;
    const isControlPlane = labels?.['node-role.kubernetes.io/control-plane'] !== undefined;
    for (const part of [lease, ...(isControlPlane ? staticPods : [])]) {
      if (part) add(ofNode(part, object, name));
    }
  });
  for (const object of read('system.yaml')) add(object);
  for (const object of metricsRelease(state.timeline.time)) add(object);
  state.timeline.after(SHOP_AFTER_SECONDS, () => {
    for (const object of read('shop.yaml')) {
      const annotations = { ...object.metadata.annotations, [LAST_APPLIED]: `${JSON.stringify(object)}\n` };
      add({ ...object, metadata: { ...object.metadata, annotations } });
    }
  });
}

/** Recorded owners have no uid. */
function ownersOf({ metadata }: ApiObject, { store, types }: ClusterState): OwnerReference[] | undefined {
  return metadata.ownerReferences?.flatMap(({ apiVersion = '', kind, name }) => {
    const type = types.findKind(apiVersion, kind);
    const owner = type && store.get(storageKey(type), type.namespaced ? metadata.namespace : undefined, name);
    return owner ? ownerReference(owner) : [];
  });
}

/** A lease, or a static pod of a control plane. */
function ofNode(recorded: ApiObject, node: KubeNode, name: string): ApiObject {
  const { metadata, ...rest } = recorded as Pod;
  return {
    ...rest,
    metadata: {
      ...metadata,
      name: metadata.name.replace('NODE', name),
      ownerReferences: [ownerReference(node)],
    },
    spec: { ...rest.spec, ...(rest.kind === 'Pod' ? { nodeName: name } : { holderIdentity: name }) },
  } as ApiObject;
}

/** The metrics-server release that each demo cluster starts with. */
function metricsRelease(time: string): ApiObject[] {
  const found = DEMO_CHARTS.find(({ name }) => name === 'metrics-server');
  if (!found) throw new Error('charts.json has no metrics-server.');
  const chart = chartOf(found, {
    type: 'repository',
    repository: { url: 'https://kubernetes-sigs.github.io/metrics-server/' },
    chart: found.name,
  });
  const values = 'args:\n  - --kubelet-insecure-tls\n';
  const request = { chart, release: chart.name, namespace: 'kube-system', values };
  const release = renderRelease(request, time);
  const record = { ...release, revision: 1, status: 'deployed' as const, description: 'Install complete' };
  return [...manifestObjects(release.contents.manifest), releaseSecret(record)];
}
