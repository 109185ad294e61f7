import { labels } from '../../core/parsing/index.js';
import {
  hasCondition,
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
import { phaseOf } from './findings.js';

const EVENTS: TypeName = { group: '', version: 'v1', plural: 'events' };
const CLAIMS: TypeName = { group: '', version: 'v1', plural: 'persistentvolumeclaims' };
const REPLICA_SETS: TypeName = { group: 'apps', version: 'v1', plural: 'replicasets' };
const JOBS: TypeName = { group: 'batch', version: 'v1', plural: 'jobs' };

const MAX_EVENTS = 1000;
const MAX_OBJECTS = 200;

/** An object and those through which it does its work. */
interface Subjects {
  object: KubernetesObject;
  dependents: KubernetesObject[];
  /** Of a Service, its Pods; of a Pod, its PersistentVolumeClaims. */
  related: KubernetesObject[];
}

/** Facts about an object, and about the ReplicaSets, Jobs and Pods through which it does its work, newest first. */
export async function collectFacts(api: ResourceApi, object: KubernetesObject): Promise<[Facts, ...Facts[]]> {
  const { dependents, related } = await subjectsOf(api, object);
  const events = await eventsOf(api, object, dependents.length + related.length === 0);
  const now = Date.now();
  const own = factsOf(
    object,
    events,
    now,
    related.map((each) => factsOf(each, events, now)),
  );
  // A Pod that failed earlier does not matter once others run in its place.
  const relevant = isHealthy(own) ? dependents.filter((each) => phaseOf(each) !== 'Failed') : dependents;
  return [own, ...relevant.map((each) => factsOf(each, events, now))];
}

async function subjectsOf(api: ResourceApi, object: KubernetesObject): Promise<Subjects> {
  const { selector } = specOf(object);
  const none = { object, dependents: [], related: [] };
  switch (object.kind) {
    case 'Pod':
      return { ...none, related: phaseOf(object) === 'Pending' ? await readClaims(api, object) : [] };
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

async function readClaims(api: ResourceApi, pod: KubernetesObject): Promise<KubernetesObject[]> {
  const names = claimsOf(pod);
  if (names.length === 0) return [];
  const claims = await select(api, CLAIMS, pod, {});
  return claims.filter(({ metadata }) => names.includes(metadata.name));
}

/** In the namespace of `object`, newest first, without those that are being deleted. */
async function select(
  api: ResourceApi,
  type: TypeName,
  { metadata }: KubernetesObject,
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
    .filter((each) => each.metadata.deletionTimestamp === undefined)
    .map((each) => ({ ...each, kind }))
    .sort((one, other) => (createdAt(one) < createdAt(other) ? 1 : -1));
}

/** Of several objects, only the warnings of their namespace. */
async function eventsOf(
  api: ResourceApi,
  { metadata: { namespace, uid = '' } }: KubernetesObject,
  isAlone: boolean,
): Promise<KubernetesObject[]> {
  if (namespace === undefined) return [];
  const fieldSelector = isAlone ? `involvedObject.uid=${uid}` : 'type=Warning';
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
