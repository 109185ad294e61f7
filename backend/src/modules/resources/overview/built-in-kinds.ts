import type { ResourceType } from '../../../drivers/kubernetes/index.js';

/** A watch has a connection of its own. */
export const MAX_WATCHED = 80;

/** Kinds in every overview, even if the cluster does not serve them: group, version, plural, kind, namespaced. */
const BUILT_IN = [
  ['', 'v1', 'nodes', 'Node', false],
  ['', 'v1', 'namespaces', 'Namespace', false],
  ['', 'v1', 'pods', 'Pod', true],
  ['apps', 'v1', 'deployments', 'Deployment', true],
  ['apps', 'v1', 'replicasets', 'ReplicaSet', true],
  ['apps', 'v1', 'statefulsets', 'StatefulSet', true],
  ['apps', 'v1', 'daemonsets', 'DaemonSet', true],
  ['batch', 'v1', 'jobs', 'Job', true],
  ['batch', 'v1', 'cronjobs', 'CronJob', true],
  ['', 'v1', 'services', 'Service', true],
  ['discovery.k8s.io', 'v1', 'endpointslices', 'EndpointSlice', true],
  ['networking.k8s.io', 'v1', 'ingresses', 'Ingress', true],
  ['networking.k8s.io', 'v1', 'networkpolicies', 'NetworkPolicy', true],
  ['', 'v1', 'configmaps', 'ConfigMap', true],
  ['', 'v1', 'secrets', 'Secret', true],
  ['', 'v1', 'persistentvolumes', 'PersistentVolume', false],
  ['', 'v1', 'persistentvolumeclaims', 'PersistentVolumeClaim', true],
  ['storage.k8s.io', 'v1', 'storageclasses', 'StorageClass', false],
  ['', 'v1', 'serviceaccounts', 'ServiceAccount', true],
  ['rbac.authorization.k8s.io', 'v1', 'roles', 'Role', true],
  ['rbac.authorization.k8s.io', 'v1', 'rolebindings', 'RoleBinding', true],
  ['rbac.authorization.k8s.io', 'v1', 'clusterroles', 'ClusterRole', false],
  ['rbac.authorization.k8s.io', 'v1', 'clusterrolebindings', 'ClusterRoleBinding', false],
  ['', 'v1', 'events', 'Event', true],
  ['autoscaling', 'v2', 'horizontalpodautoscalers', 'HorizontalPodAutoscaler', true],
  ['policy', 'v1', 'poddisruptionbudgets', 'PodDisruptionBudget', true],
  ['apiextensions.k8s.io', 'v1', 'customresourcedefinitions', 'CustomResourceDefinition', false],
] as const;

const EXPECTED: readonly ResourceType[] = BUILT_IN.map(([group, version, plural, kind, namespaced]) => ({
  group,
  version,
  plural,
  kind,
  namespaced,
  verbs: [],
  shortNames: [],
  custom: false,
}));

export const BUILT_IN_BLOCKS: readonly string[] = EXPECTED.map(blockName);

export interface OverviewKind {
  /** `k8s_pods`, `k8s_certificates.cert-manager.io`. */
  block: string;
  type: ResourceType;
  served: boolean;
  builtIn: boolean;
}

/** Block name of a kind. Custom kinds include their group, since their names can equal built-in ones. */
function blockName({ group, plural, custom }: Pick<ResourceType, 'group' | 'plural' | 'custom'>): string {
  return custom ? `k8s_${plural}.${group}` : `k8s_${plural}`;
}

/** Whether viewers see changes at once. Other kinds change constantly, above all leases. */
export function isLive({ builtIn, type }: OverviewKind): boolean {
  return builtIn || type.custom;
}

/** Of each result of a discovery, which is the same for a minute. */
const known = new WeakMap<readonly ResourceType[], readonly OverviewKind[]>();

/** The built-in kinds in their order, then all other kinds that can be listed, by name. */
export function overviewKinds(served: readonly ResourceType[]): readonly OverviewKind[] {
  const kinds = known.get(served) ?? kindsOf(served);
  known.set(served, kinds);
  return kinds;
}

function kindsOf(served: readonly ResourceType[]): OverviewKind[] {
  const listable = served.filter(isShown);
  const builtIn = EXPECTED.map((expected): OverviewKind => {
    const type = listable.find(({ group, plural }) => group === expected.group && plural === expected.plural);
    return { block: blockName(expected), type: type ?? expected, served: type !== undefined, builtIn: true };
  });
  const others = listable
    .map((type) => ({ block: blockName(type), type, served: true, builtIn: false }))
    .filter(({ block }) => !BUILT_IN_BLOCKS.includes(block))
    .sort((one, other) => (one.block < other.block ? -1 : 1));
  return [...builtIn, ...others];
}

/** `events.k8s.io` serves the same events as the core group. */
function isShown({ group, plural, verbs }: ResourceType): boolean {
  return verbs.includes('list') && !(group === 'events.k8s.io' && plural === 'events');
}
