import { record, word } from '../../../core/parsing/index.js';
import { isRecord, recordOf } from '../../../core/values/index.js';
import { specOf, statusOf, type KubernetesObject, type TypeName } from '../../../drivers/kubernetes/index.js';

/** One Pod template that a workload has had. */
export interface Revision {
  number: number;
  /** Of the ReplicaSet or ControllerRevision that keeps it. */
  name: string;
  createdAt: string | null;
  changeCause: string | null;
  /** Pods of this revision; null if only their controller knows. */
  pods: number | null;
  /** Whether its Pods have become ready; null if the cluster does not keep that. */
  ready: boolean | null;
  template: PodTemplate;
}

/** As the cluster keeps it, to be applied again. */
export type PodTemplate = Readonly<Record<string, unknown>>;

export const CHANGE_CAUSE = 'kubernetes.io/change-cause';
/** The reason of the condition Progressing, as long as a rollout that has completed is the last one. */
const COMPLETED = 'NewReplicaSetAvailable';
const REVISION = 'deployment.kubernetes.io/revision';
/** Where a workload keeps its revisions. */
export function revisionsKeptIn({ kind }: Pick<KubernetesObject, 'kind'>): TypeName {
  const plural = kind === 'Deployment' ? 'replicasets' : 'controllerrevisions';
  return { group: 'apps', version: 'v1', plural };
}

/** Added by the controller of Deployments to the template of each ReplicaSet. */
const TEMPLATE_HASH = 'pod-template-hash';

/**
 * The revisions of a workload, the newest first: a Deployment keeps them in its ReplicaSets, a StatefulSet or DaemonSet
 * in ControllerRevisions. https://kubernetes.io/docs/reference/kubectl/generated/kubectl_rollout/kubectl_rollout_history/
 *
 * @param kept ReplicaSets or ControllerRevisions of the namespace
 */
export function revisionsOf(workload: KubernetesObject, kept: readonly KubernetesObject[]): Revision[] {
  return kept
    .filter(({ metadata: { ownerReferences = [] } }) =>
      ownerReferences.some(({ uid, controller }) => controller === true && uid === workload.metadata.uid),
    )
    .flatMap((object) => revisionOf(object) ?? [])
    .sort((one, other) => other.number - one.number)
    .map((revision, index) => ({ ...revision, ready: readinessOf(workload, revision, index === 0) }));
}

const progress = record({ currentRevision: word, updateRevision: word });

/** Of an earlier revision of a Deployment only known while Pods of it are ready. */
function readinessOf(workload: KubernetesObject, revision: Revision, isCurrent: boolean): boolean | null {
  if (revision.ready === true) return true;
  if (workload.kind === 'StatefulSet') {
    const { currentRevision, updateRevision } = progress(workload['status']) ?? {};
    if (revision.name === currentRevision) return true;
    return revision.name === updateRevision ? false : null;
  }
  if (!isCurrent || workload.kind !== 'Deployment' || specOf(workload).replicas === 0) return null;
  const { conditions = [] } = statusOf(workload);
  return conditions.some(({ type, reason }) => type === 'Progressing' && reason === COMPLETED);
}

function revisionOf(object: KubernetesObject): Revision | undefined {
  const { name, creationTimestamp = null, annotations = {} } = object.metadata;
  const isSet = object.kind === 'ReplicaSet';
  const number = Number(isSet ? annotations[REVISION] : object['revision']);
  const spec = recordOf(isSet ? object['spec'] : recordOf(object['data'])['spec']);
  const { template } = spec;
  if (!isRecord(template) || !Number.isSafeInteger(number)) return undefined;
  const { replicas, readyReplicas = 0 } = statusOf(object);
  return {
    number,
    name,
    createdAt: creationTimestamp,
    changeCause: annotations[CHANGE_CAUSE] ?? null,
    pods: isSet ? (replicas ?? 0) : null,
    ready: isSet && readyReplicas > 0 ? true : null,
    template: isSet ? withoutHash(template) : withoutDirective(template),
  };
}

function withoutHash({ metadata, ...template }: PodTemplate): PodTemplate {
  const known = recordOf(metadata);
  return { metadata: { ...known, labels: without(TEMPLATE_HASH, recordOf(known['labels'])) }, ...template };
}

/** The template of a ControllerRevision is a patch: `$patch: replace` says so, and is no field of a template. */
function withoutDirective(template: PodTemplate): PodTemplate {
  return without('$patch', template);
}

export function without<TValue>(
  field: string,
  fields: Readonly<Record<string, TValue>> | undefined,
): Record<string, TValue> {
  return Object.fromEntries(Object.entries(fields ?? {}).filter(([name]) => name !== field));
}

/** The images of a template, each once. */
export function imagesOf(template: PodTemplate): string[] {
  const spec = specOf(template);
  const containers = [...(spec.initContainers ?? []), ...(spec.containers ?? [])];
  return [...new Set(containers.flatMap(({ image }) => image ?? []))];
}
