import { labels as readLabels } from '../../core/parsing/index.js';
import type { ResourceType, TableRow } from '../../drivers/kubernetes/index.js';
import { keyOf, type PrintedRow } from '../resources/index.js';

/** The object of a problem. */
export interface Subject extends Pick<ResourceType, 'group' | 'plural' | 'kind'> {
  /** `v1` if absent. */
  version?: string;
  namespace: string | null;
  name: string;
}

type Owner = TableRow['owner'];
type KindName = Pick<ResourceType, 'group' | 'plural'> & { version?: string };

/** Kinds whose rows show that something may be wrong, with their plurals by kind. */
export const WATCHED: Readonly<Record<string, KindName>> = {
  // Owners before those that they own, so that a new Pod already has its workload.
  ReplicaSet: { group: 'apps', plural: 'replicasets' },
  Job: { group: 'batch', plural: 'jobs' },
  StatefulSet: { group: 'apps', plural: 'statefulsets' },
  DaemonSet: { group: 'apps', plural: 'daemonsets' },
  Pod: { group: '', plural: 'pods' },
  PersistentVolumeClaim: { group: '', plural: 'persistentvolumeclaims' },
  Service: { group: '', plural: 'services' },
  EndpointSlice: { group: 'discovery.k8s.io', plural: 'endpointslices' },
  Node: { group: '', plural: 'nodes' },
  Namespace: { group: '', plural: 'namespaces' },
};

const CONTROLLERS: typeof WATCHED = {
  ...WATCHED,
  Deployment: { group: 'apps', plural: 'deployments' },
  CronJob: { group: 'batch', plural: 'cronjobs' },
  ReplicationController: { group: '', plural: 'replicationcontrollers' },
};
/** As the API server prints an empty list. */
const UNSET = '<unset>';
/** A Pod of a Job of a CronJob. */
const MAX_OWNERS = 3;

/** Identifies a subject. */
export function subjectKey({ group, plural, namespace, name }: Omit<Subject, 'kind'>): string {
  return `${plural}.${group} ${namespace ?? ''}/${name}`;
}

/**
 * The controller of an object, or the one above it: the Deployment of a Pod, the CronJob of a Job.
 * @param ownerOf the owner of a controller that has one, such as a ReplicaSet
 * @param custom of a custom resource: the kinds that may own it
 */
export function workloadOf(
  subject: Subject,
  owner: Owner,
  ownerOf: (type: KindName, key: string) => Owner | undefined,
  custom?: ReadonlyMap<string, ResourceType>,
): Subject {
  let found = subject;
  let next = owner;
  for (let depth = 0; next && depth < MAX_OWNERS; depth += 1) {
    const { kind, name } = next;
    const type = custom ? custom.get(kind) : builtIn(kind);
    if (!type) break;
    const { group, version, plural } = type;
    found = { group, ...(version && { version }), plural, kind, namespace: subject.namespace, name };
    next = ownerOf(type, `${subject.namespace ?? ''}/${name}`) ?? null;
  }
  return found;
}

/** A Pod of a node itself has the Node as its owner, and others belong to an operator, whose conditions do not explain it. */
function builtIn(kind: string): KindName | undefined {
  return kind !== 'Node' && Object.hasOwn(CONTROLLERS, kind) ? CONTROLLERS[kind] : undefined;
}

/** Reads a column of a row. */
export type Cell = (row: TableRow, column: string) => string;

/**
 * Services with a selector that matches no Pod, or with ports that no container of the Pods has: then their
 * EndpointSlice has addresses without ports.
 */
export function withoutEndpoints(
  services: readonly PrintedRow[],
  pods: readonly PrintedRow[],
  slices: readonly PrintedRow[],
  { ofService, ofSlice }: { ofService: Cell; ofSlice: Cell },
): PrintedRow[] {
  const byNamespace = Map.groupBy(pods, ({ row }) => row.namespace);
  const portless = new Set(
    slices
      .filter(({ row }) => ofSlice(row, 'Ports') === UNSET && ofSlice(row, 'Endpoints') !== UNSET)
      .map(({ row }) => `${row.namespace ?? ''}/${row.labels['kubernetes.io/service-name'] ?? ''}`),
  );
  return services.filter(({ row }) => {
    const selector = selectorOf(ofService(row, 'Selector'));
    if (!selector || ofService(row, 'Type') === 'ExternalName') return false;
    if (portless.has(keyOf(row)) && ofService(row, 'Port(s)') !== '<none>') return true;
    return !byNamespace
      .get(row.namespace)
      ?.some(({ row: { labels } }) => selector.every(([key, value]) => labels[key] === value));
  });
}

/** The pairs of `app=web,tier=front`, as the API server prints a selector; undefined for `<none>`. */
function selectorOf(text: string): [string, string][] | undefined {
  const pairs = text.split(',').map((pair): [string, string] => {
    const [key = '', value = ''] = pair.split('=', 2);
    return [key, value];
  });
  return text.includes('=') && readLabels(Object.fromEntries(pairs)) ? pairs : undefined;
}
