import { labels } from '../../core/parsing/index.js';
import {
  groupVersion,
  hasCondition,
  isCustom,
  labelSelectorOf,
  PODS,
  selectorText,
  specOf,
  type KubernetesObject,
  type ResourceApi,
  type TypeName,
} from '../../drivers/kubernetes/index.js';
import { isHealthy } from './explain.js';
import { factsOf, type Facts } from './facts.js';
import { claimsOf } from '../resources/index.js';
import { isStuck, phaseOf } from './findings.js';

const EVENTS: TypeName = { group: '', version: 'v1', plural: 'events' };
const CLAIMS: TypeName = { group: '', version: 'v1', plural: 'persistentvolumeclaims' };
const REPLICA_SETS: TypeName = { group: 'apps', version: 'v1', plural: 'replicasets' };
const JOBS: TypeName = { group: 'batch', version: 'v1', plural: 'jobs' };

const MAX_EVENTS = 1000;
const MAX_OBJECTS = 200;
const MAX_OWNERS = 2;

/** An object and those through which it does its work. */
interface Subjects {
  object: KubernetesObject;
  dependents: KubernetesObject[];
  /** Of a Service, its Pods; of a Pod, its PersistentVolumeClaims. */
  related: KubernetesObject[];
}

/**
 * Facts about an object, about the ReplicaSets, Jobs and Pods through which it does its work, newest first, and about the
 * owners of an unhealthy object.
 */
export async function collectFacts(api: ResourceApi, object: KubernetesObject): Promise<[Facts, ...Facts[]]> {
  const { dependents, related } = await subjectsOf(api, object);
  const isAlone = dependents.length + related.length === 0;
  const warnings = isAlone ? [] : await eventsOf(api, object, 'type=Warning');
  const now = Date.now();
  const own = factsOf(
    object,
    await ownEvents(api, object),
    now,
    related.map((each) => factsOf(each, warnings, now)),
  );
  const claims = await readClaims(api, dependents);
  const factsOfDependent = (each: KubernetesObject): Facts => {
    const own = claims.filter(({ metadata }) => claimsOf(each).includes(metadata.name));
    return factsOf(
      each,
      warnings,
      now,
      own.map((claim) => factsOf(claim, warnings, now)),
    );
  };
  // A CronJob itself is always healthy; of its Jobs, only the last one is a dependent.
  if (isHealthy(own) && object.kind !== 'CronJob') {
    return [own, ...dependents.filter(isActive).map(factsOfDependent)];
  }
  const owners = await ownersOf(api, object, MAX_OWNERS);
  return [
    own,
    ...dependents.map(factsOfDependent),
    ...(await Promise.all(owners.map(async (each) => factsOf(each, await ownEvents(api, each), now)))),
  ];
}

/** A Pod that failed earlier, or that lingers, does not matter once others run in its place. */
function isActive(pod: KubernetesObject): boolean {
  return phaseOf(pod) !== 'Failed' && pod.metadata.deletionTimestamp === undefined;
}

/** Its controller, or another owner, and the ones above. */
export async function ownersOf(
  api: ResourceApi,
  { metadata: { ownerReferences: references = [], namespace } }: KubernetesObject,
  max: number,
): Promise<KubernetesObject[]> {
  const owner = references.find(({ controller }) => controller) ?? references[0];
  if (!owner || max === 0) return [];
  const { group } = groupVersion(owner.apiVersion ?? '');
  const type = await api.typeOfKind(group, owner.kind);
  if (!type) return [];
  const reference = { ...type, namespace: (type.namespaced && namespace) || null, name: owner.name };
  // The object may have lost its owner.
  const found = await api.read(reference).catch(() => undefined);
  if (!found || found.metadata.uid !== owner.uid) return [];
  return [found, ...(await ownersOf(api, found, max - 1))];
}

async function subjectsOf(api: ResourceApi, object: KubernetesObject): Promise<Subjects> {
  const { selector } = specOf(object);
  const none = { object, dependents: [], related: [] };
  switch (isCustom(object) ? undefined : object.kind) {
    case 'Pod':
      return { ...none, related: await readClaims(api, [object]) };
    case 'Deployment': {
      const owned = ownedBy([object], await select(api, REPLICA_SETS, object, selector));
      const sets = owned.filter((set) => (specOf(set).replicas ?? 1) > 0);
      return { ...none, dependents: [...sets, ...ownedBy(sets, await select(api, PODS, object, selector))] };
    }
    case 'ReplicaSet':
    case 'StatefulSet':
    case 'DaemonSet':
      return { ...none, dependents: ownedBy([object], await select(api, PODS, object, selector)) };
    case 'Job':
      return { ...none, dependents: await podsOfJob(api, object) };
    case 'CronJob': {
      const [job] = ownedBy([object], await select(api, JOBS, object, {}));
      return job ? { ...none, dependents: [job, ...(await podsOfJob(api, job))] } : none;
    }
    case 'Service': {
      const matchLabels = labels(selector) ?? {};
      if (Object.keys(matchLabels).length === 0) return none;
      const pods = await select(api, PODS, object, { matchLabels });
      const facts = factsOf(
        object,
        [],
        0,
        pods.map((pod) => factsOf(pod, [], 0)),
      );
      return { ...none, related: pods, dependents: isHealthy(facts) ? [] : pods };
    }
    default:
      return none;
  }
}

async function podsOfJob(api: ResourceApi, job: KubernetesObject): Promise<KubernetesObject[]> {
  if (hasCondition(job, 'Complete')) return [];
  return ownedBy([job], await select(api, PODS, job, specOf(job).selector));
}

/** Of the Pods among `objects` that have not started. */
async function readClaims(
  api: ResourceApi,
  objects: readonly KubernetesObject[],
): Promise<KubernetesObject[]> {
  const pods = objects.filter((each) => phaseOf(each) === 'Pending');
  const names = new Set(pods.flatMap(claimsOf));
  const [pod] = pods;
  if (!pod || names.size === 0) return [];
  const claims = await select(api, CLAIMS, pod, {});
  return claims.filter(({ metadata }) => names.has(metadata.name));
}

/** In the namespace of `object`, newest first. Of those that are being deleted, only what lingers. */
async function select(
  api: ResourceApi,
  type: TypeName,
  { metadata, kind: of }: KubernetesObject,
  selector?: unknown,
): Promise<KubernetesObject[]> {
  const labelSelector = selectorText(labelSelectorOf(selector));
  const found = await api.list(type, {
    namespace: metadata.namespace ?? '',
    limit: MAX_OBJECTS,
    ...(labelSelector !== '' && { labelSelector }),
  });
  const { kind } = await api.type(type);
  return found
    .filter(
      (each) =>
        each.metadata.deletionTimestamp === undefined || (of !== 'Service' && isStuck(each, Date.now())),
    )
    .map((each) => ({ ...each, kind }))
    .sort((one, other) => (createdAt(one) < createdAt(other) ? 1 : -1));
}

async function ownEvents(api: ResourceApi, object: KubernetesObject): Promise<KubernetesObject[]> {
  return await eventsOf(api, object, `involvedObject.uid=${object.metadata.uid ?? ''}`);
}

/** Of an object without a namespace, they are in the namespace `default`. */
async function eventsOf(
  api: ResourceApi,
  { metadata: { namespace = 'default' } }: KubernetesObject,
  fieldSelector: string,
): Promise<KubernetesObject[]> {
  return await api.list(EVENTS, { namespace, fieldSelector, limit: MAX_EVENTS });
}

function ownedBy(
  owners: readonly KubernetesObject[],
  objects: readonly KubernetesObject[],
): KubernetesObject[] {
  const uids = new Set(owners.map(({ metadata }) => metadata.uid));
  return objects.filter(({ metadata }) => metadata.ownerReferences?.some(({ uid }) => uids.has(uid)));
}

function createdAt({ metadata }: KubernetesObject): string {
  return metadata.creationTimestamp ?? '';
}
