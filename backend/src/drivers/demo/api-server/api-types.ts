import type { ResourceType } from '../../kubernetes/index.js';

/** A kind that the demo's API server serves. */
export interface ApiType extends ResourceType {
  singular: string;
  categories: string[];
  /** Beside `status`: `scale`, `eviction`, `log`. */
  subresources: string[];
}

const VERBS = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'];

interface Description {
  group?: string;
  version?: string;
  cluster?: true;
  short?: string[];
  categories?: string[];
  subresources?: string[];
  plural?: string;
}

function type(kind: string, description: Description = {}): ApiType {
  const singular = kind.toLowerCase();
  const { group = '', version = 'v1', cluster, short = [], categories = [], subresources = [] } = description;
  return {
    group,
    version,
    plural: description.plural ?? `${singular}s`,
    kind,
    singular,
    namespaced: cluster !== true,
    verbs: VERBS,
    shortNames: short,
    categories,
    subresources,
    custom: false,
  };
}

const ALL = ['all'];
const EXTENSIONS = ['api-extensions'];
const STATUS = ['status'];
const SCALED = ['scale', 'status'];

/** In the order in which an API server names its groups. */
export const BUILT_IN: readonly ApiType[] = [
  type('ConfigMap', { short: ['cm'] }),
  type('Endpoints', { short: ['ep'], plural: 'endpoints' }),
  type('Event', { short: ['ev'] }),
  type('LimitRange', { short: ['limits'] }),
  type('Namespace', { short: ['ns'], cluster: true, subresources: STATUS }),
  type('Node', { short: ['no'], cluster: true, subresources: STATUS }),
  type('PersistentVolumeClaim', { short: ['pvc'], subresources: STATUS }),
  type('PersistentVolume', { short: ['pv'], cluster: true, subresources: STATUS }),
  type('Pod', { short: ['po'], categories: ALL, subresources: ['eviction', 'log', 'status'] }),
  type('ResourceQuota', { short: ['quota'], subresources: STATUS }),
  type('Secret'),
  type('ServiceAccount', { short: ['sa'] }),
  type('Service', { short: ['svc'], categories: ALL, subresources: STATUS }),
  type('APIService', {
    group: 'apiregistration.k8s.io',
    cluster: true,
    categories: EXTENSIONS,
    subresources: STATUS,
  }),
  type('ControllerRevision', { group: 'apps' }),
  type('DaemonSet', { group: 'apps', short: ['ds'], categories: ALL, subresources: STATUS }),
  type('Deployment', { group: 'apps', short: ['deploy'], categories: ALL, subresources: SCALED }),
  type('ReplicaSet', { group: 'apps', short: ['rs'], categories: ALL, subresources: SCALED }),
  type('StatefulSet', { group: 'apps', short: ['sts'], categories: ALL, subresources: SCALED }),
  type('HorizontalPodAutoscaler', {
    group: 'autoscaling',
    version: 'v2',
    short: ['hpa'],
    categories: ALL,
    subresources: STATUS,
  }),
  type('CronJob', { group: 'batch', short: ['cj'], categories: ALL, subresources: STATUS }),
  type('Job', { group: 'batch', categories: ALL, subresources: STATUS }),
  type('IngressClass', { group: 'networking.k8s.io', plural: 'ingressclasses', cluster: true }),
  type('Ingress', {
    group: 'networking.k8s.io',
    plural: 'ingresses',
    short: ['ing'],
    subresources: STATUS,
  }),
  type('NetworkPolicy', { group: 'networking.k8s.io', plural: 'networkpolicies', short: ['netpol'] }),
  type('PodDisruptionBudget', { group: 'policy', short: ['pdb'], subresources: STATUS }),
  type('ClusterRoleBinding', { group: 'rbac.authorization.k8s.io', cluster: true }),
  type('ClusterRole', { group: 'rbac.authorization.k8s.io', cluster: true }),
  type('RoleBinding', { group: 'rbac.authorization.k8s.io' }),
  type('Role', { group: 'rbac.authorization.k8s.io' }),
  type('StorageClass', { group: 'storage.k8s.io', plural: 'storageclasses', short: ['sc'], cluster: true }),
  type('CustomResourceDefinition', {
    group: 'apiextensions.k8s.io',
    short: ['crd', 'crds'],
    cluster: true,
    categories: EXTENSIONS,
    subresources: STATUS,
  }),
  type('PriorityClass', {
    group: 'scheduling.k8s.io',
    plural: 'priorityclasses',
    short: ['pc'],
    cluster: true,
  }),
  type('Lease', { group: 'coordination.k8s.io' }),
  type('EndpointSlice', { group: 'discovery.k8s.io' }),
];

/** What names the objects of a type in the store: all versions of a type hold the same ones. */
export function storageKey({ group, plural }: Pick<ApiType, 'group' | 'plural'>): string {
  return group === '' ? plural : `${plural}.${group}`;
}

export function apiVersionOf({ group, version }: Pick<ApiType, 'group' | 'version'>): string {
  return group === '' ? version : `${group}/${version}`;
}
