import { recordOf } from '../../core/values/index.js';
import {
  conditionsOf,
  hasCondition,
  specOf,
  statusOf,
  type Condition,
  type KubernetesObject,
} from './object-fields.js';
import { groupVersion } from './object-reference.js';
import type { ResourceType, TableCell, TableColumn, TableRow } from './resource-api.js';

export const RESOURCE_HEALTH = ['ok', 'progressing', 'warning', 'failed', 'ended', 'none'] as const;
export type ResourceHealth = (typeof RESOURCE_HEALTH)[number];

export interface Verdict {
  health: ResourceHealth;
  reason: string | null;
  /** Whether it does what its spec describes: also during a rollout, and while a Job runs. */
  works: boolean;
}

type Kind = Pick<ResourceType, 'kind' | 'custom'>;
type Cells = (column: string) => TableCell;

/** A row of a table, with the index of each column. */
interface PrintedObject {
  type: Kind;
  columns: ReadonlyMap<string, number>;
  row: Pick<TableRow, 'cells' | 'deletedAt'>;
}

interface Rule {
  /** By the cells that kubectl shows. */
  row?: (cell: Cells) => Verdict;
  object?: (object: KubernetesObject) => Verdict;
}

const NO_HEALTH = verdict('none');

/**
 * The health of an object, or of the part of it that a table has. Both have the same one, except where a row says less: a
 * rollout that only has to delete Pods is `progressing`, and a workload without replicas and a CRD are `ok`, not `none`.
 */
export function healthOf(subject: { object: KubernetesObject } | PrintedObject): Verdict {
  const isObject = 'object' in subject;
  const found = isObject ? healthOfObject(subject.object) : healthOfRow(subject);
  const deletedAt = (isObject ? subject.object.metadata.deletionTimestamp : subject.row.deletedAt) ?? null;
  return deletedAt === null ? found : { ...found, health: 'progressing', reason: 'being deleted' };
}

/** Whether rows of a kind have health, so that all must be read to count it. */
export function hasHealth({ kind, custom }: Kind): boolean {
  return custom || RULES.get(kind)?.row !== undefined;
}

export function isReady(health: ResourceHealth): boolean {
  return health === 'ok' || health === 'none' || health === 'ended';
}

/** @param explained whether a cause is known: then it needs attention, whatever else it says */
export function agreedHealth(health: ResourceHealth, explained: boolean): ResourceHealth {
  return explained && health !== 'failed' ? 'warning' : health;
}

export function worstHealth(healths: readonly ResourceHealth[]): ResourceHealth {
  return WORST_FIRST.find((health) => healths.includes(health)) ?? 'none';
}

export function countHealth(healths: Iterable<ResourceHealth>): Record<ResourceHealth, number> {
  const counts = { ok: 0, progressing: 0, warning: 0, failed: 0, ended: 0, none: 0 };
  for (const health of healths) counts[health] += 1;
  return counts;
}

/** Built-in kinds. Others have no health. */
const RULES: ReadonlyMap<string, Rule> = new Map(
  Object.entries<Rule>({
    Pod: { row: podRow, object: pod },
    Node: { row: nodeRow },
    Namespace: byPhase({ active: 'ok', terminating: 'progressing' }),
    PersistentVolumeClaim: byPhase({ bound: 'ok', pending: 'progressing', lost: 'failed' }),
    PersistentVolume: byPhase({
      available: 'ok',
      bound: 'ok',
      pending: 'progressing',
      released: 'warning',
      failed: 'failed',
    }),
    Event: byStatus('Type', { warning: 'warning' }),
    Service: {
      row: (cell) => (textOf(cell('External-IP')).includes('<pending>') ? verdict('warning') : NO_HEALTH),
      object: (object) => {
        if (specOf(object).type !== 'LoadBalancer') return NO_HEALTH;
        const { loadBalancer: { ingress = [] } = {} } = statusOf(object);
        return ingress.length > 0 ? verdict('ok') : verdict('warning', 'no load balancer address', true);
      },
    },
    ReplicationController: { row: workloadRow, object: workload },
    Deployment: { row: workloadRow, object: workload },
    ReplicaSet: { row: workloadRow, object: workload },
    StatefulSet: { row: workloadRow, object: workload },
    DaemonSet: { row: workloadRow, object: workload },
    Job: { row: jobRow, object: job },
    CronJob: {
      ...byStatus('Suspend', { false: 'ok' }),
      object: (object) => (specOf(object).suspend === true ? NO_HEALTH : verdict('ok')),
    },
    HorizontalPodAutoscaler: {
      row: (cell) => verdict(textOf(cell('Targets')).includes('<unknown>') ? 'warning' : 'ok'),
      object: (object) => {
        if (conditionsOf(object).length === 0) return verdict('warning', 'not reconciled');
        const { works, reason } = byConditions(object);
        return verdict(works ? 'ok' : 'warning', reason);
      },
    },
    APIService: {
      row: (cell) => verdict(cell('Available') === 'True' ? 'ok' : 'failed', textOf(cell('Available'))),
    },
    CertificateSigningRequest: {
      row: (cell) => {
        const condition = textOf(cell('Condition'));
        if (/Denied|Failed/.test(condition)) return verdict('failed', condition);
        return verdict(condition.includes('Pending') ? 'progressing' : 'ok', condition);
      },
    },
  }),
);

/** Columns of custom resources that contain a status, in lowercase. */
const STATUS_COLUMNS = [
  'ready',
  'synced',
  'healthy',
  'health status',
  'health',
  'available',
  'status',
  'state',
  'phase',
];

/** Whether rows of a custom kind say whether an object works. */
export function hasStatusColumn(columns: readonly Pick<TableColumn, 'name'>[]): boolean {
  return columns.some(({ name }) => STATUS_COLUMNS.includes(name.toLowerCase()));
}

/** Conditions of any kind that describe a problem unless they are true. Names as in Kubernetes and its usual CRDs. */
const GOOD_CONDITIONS =
  /^(Ready|Available|Synced|Healthy|Established|NamesAccepted|Accepted|Programmed|ResolvedRefs|Reconciled|Valid|ScalingActive|AbleToScale|PodScheduled)$/i;
/** Conditions of any kind that describe a problem if they are true. */
const BAD_CONDITIONS =
  /(failed|failure|error|degraded|stalled|unhealthy|denied|pressure|unavailable|notready|deadlock|dangling|(failure|disruption)target)$/i;
/** Reasons with which any false condition describes a problem, and words for the status of custom resources. */
const BAD_REASONS = /exceeded|degraded|unhealthy|invalid|(?<!no|without)(?:fail(?!over)|error)/i;

/** Reasons that deny a problem, such as `DiskHardwareHasNoFatalError`. */
const DENIALS = /(?:^|[a-z])(?:(?:No|Without)[A-Z]|NotFail)/;

/** The order in which a row with several status columns is judged. */
const WORST_FIRST: readonly ResourceHealth[] = ['failed', 'warning', 'progressing', 'ok', 'ended', 'none'];

/** Common status values of custom resources, in lowercase. */
const HEALTH_BY_STATUS: Readonly<Record<string, ResourceHealth>> = {
  true: 'ok',
  ready: 'ok',
  healthy: 'ok',
  active: 'ok',
  available: 'ok',
  running: 'ok',
  bound: 'ok',
  false: 'failed',
  missing: 'warning',
  warning: 'warning',
  unknown: 'progressing',
  pending: 'progressing',
  progressing: 'progressing',
  succeeded: 'ended',
  completed: 'ended',
};

function healthOfRow({ type, columns, row }: PrintedObject): Verdict {
  const cell: Cells = (column) => row.cells[columns.get(column) ?? -1] ?? null;
  if (!type.custom) return RULES.get(type.kind)?.row?.(cell) ?? NO_HEALTH;
  const shown = [...columns.keys()].filter((column) => STATUS_COLUMNS.includes(column.toLowerCase()));
  return worstOf(shown.map((column) => textOf(cell(column))));
}

function worstOf(words: readonly string[]): Verdict {
  const found = words.map((word) => byWord(word, HEALTH_BY_STATUS));
  const worst = worstHealth(found.map(({ health }) => health));
  return found.find(({ health }) => health === worst) ?? NO_HEALTH;
}

function healthOfObject(object: KubernetesObject): Verdict {
  const rule = isCustom(object) ? undefined : RULES.get(object.kind)?.object;
  return rule?.(object) ?? byConditions(object);
}

/** Groups of Kubernetes itself have no dot, or its own domain. A custom kind may have the name of a built-in one. */
export function isCustom({ apiVersion }: KubernetesObject): boolean {
  const { group } = groupVersion(apiVersion);
  return group.includes('.') && !group.endsWith('.k8s.io');
}

/** The conditions of an object of any kind that describe a problem, in their order. */
export function failedConditions(object: KubernetesObject): Condition[] {
  return conditionsOf(object).filter(({ type = '', status, reason = '' }) => {
    const word = status?.toLowerCase();
    if (GOOD_CONDITIONS.test(type)) return word !== 'true';
    // Those of Argo CD have no status.
    if (BAD_CONDITIONS.test(type)) return word === 'true' || word === undefined;
    const isBad = BAD_REASONS.test(reason) && !DENIALS.test(reason);
    return word === 'false' && (isBad || /^succeeded$/i.test(type));
  });
}

/** By the words that columns of custom resources show. */
function byWords(object: KubernetesObject): Verdict {
  const { phase, state, status, health } = recordOf(object['status']);
  const words = isCustom(object) ? [phase, state, status, health, recordOf(health)['status']] : [];
  const worst = worstOf(words.filter((word) => typeof word === 'string'));
  return { ...worst, works: worst.health !== 'failed' && worst.health !== 'warning' };
}

function byConditions(object: KubernetesObject): Verdict {
  const failed = failedConditions(object);
  // Unknown: a controller has not judged it yet.
  const [found] = [...failed.filter(({ status }) => status !== 'Unknown'), ...failed];
  if (found) {
    const { type = '', status = 'True' } = found;
    return verdict(status === 'Unknown' ? 'progressing' : 'failed', `${type}: ${status}`, false);
  }
  const word = byWords(object);
  const good = conditionsOf(object).find(({ type = '' }) => GOOD_CONDITIONS.test(type));
  return good && word.works ? verdict('ok', good.type) : word;
}

/** Of a Pod in a table, or of a container that waits. */
const STARTING = /^(Pending|ContainerCreating|PodInitializing|Terminating|SchedulingGated|Init:\d+\/\d+)$/;

function podRow(cell: Cells): Verdict {
  const status = textOf(cell('Status'));
  if (status === 'Running') {
    const [ready, wanted] = numbersOf(cell('Ready'));
    return verdict(ready !== undefined && ready === wanted ? 'ok' : 'warning', status);
  }
  if (status === 'Completed' || status === 'Succeeded') return verdict('ended', status);
  if (status === 'NotReady') return verdict('warning', status);
  const isStarting = STARTING.test(status);
  // Everything else is a reason, such as CrashLoopBackOff, ErrImagePull, Evicted, Init:Error or ExitCode:1.
  return verdict(isStarting ? 'progressing' : 'failed', status);
}

function pod(object: KubernetesObject): Verdict {
  const { phase, initContainerStatuses = [], containerStatuses = [] } = statusOf(object);
  if (phase === 'Succeeded') return verdict('ended', 'completed');
  if (phase === 'Failed') return verdict('failed', 'failed');
  if (hasCondition(object, 'Ready')) return verdict('ok', 'ready');
  const states = [...initContainerStatuses, ...containerStatuses].map(({ state = {} }) => state);
  const waiting = states.flatMap(({ waiting: { reason } = {} }) => reason ?? []);
  const ended = states.flatMap(({ terminated: { exitCode = 0, reason = 'Error' } = {} }) =>
    exitCode === 0 ? [] : reason,
  );
  const failure = [...waiting, ...ended].find((reason) => !STARTING.test(reason));
  if (failure !== undefined) return verdict('failed', failure);
  const isRunning = phase === 'Running' && waiting.length === 0;
  return isRunning ? verdict('warning', 'not ready') : verdict('progressing', phase);
}

function nodeRow(cell: Cells): Verdict {
  const status = textOf(cell('Status'));
  const conditions = status.split(',');
  if (!conditions.includes('Ready')) return verdict('failed', status);
  return verdict(conditions.includes('SchedulingDisabled') ? 'warning' : 'ok', status);
}

/** `Ready` is `1/2`, or a number beside `Desired`. `Up-to-date` counts the Pods of the newest template. */
function workloadRow(cell: Cells): Verdict {
  const [ready = 0, wanted = Number(cell('Desired'))] = numbersOf(cell('Ready'));
  if (wanted === 0) return NO_HEALTH;
  const current = Number(cell('Up-to-date') ?? cell('Current') ?? wanted);
  const health = current < wanted ? 'progressing' : ready >= wanted ? 'ok' : 'warning';
  return verdict(health, `${ready} of ${wanted} ready`);
}

function workload(object: KubernetesObject): Verdict {
  const { observedGeneration = 0, replicas = 0, ...status } = statusOf(object);
  const wanted = object.kind === 'DaemonSet' ? status.desiredNumberScheduled : (specOf(object).replicas ?? 1);
  const ready = status.readyReplicas ?? status.numberReady ?? 0;
  const works = ready >= (wanted ?? 0);
  if (wanted === undefined || observedGeneration < (object.metadata.generation ?? 0)) {
    return verdict('progressing', 'not started', works);
  }
  const reason = `${ready} of ${wanted} ready`;
  if (hasCondition(object, 'Progressing', 'False')) return verdict('warning', reason, works);
  const isOfOneTemplate = object.kind === 'ReplicaSet' || object.kind === 'ReplicationController';
  const updated =
    status.updatedReplicas ?? status.updatedNumberScheduled ?? (isOfOneTemplate ? replicas : undefined);
  // Pods of the previous revision count as ready, too.
  const hasLeftOver = object.kind === 'Deployment' && replicas > (updated ?? 0);
  const isUpdated = updated === undefined ? wanted === 0 : updated >= wanted;
  // The Pods of a StatefulSet are created one after another.
  if (!works) return verdict(isUpdated || object.kind === 'StatefulSet' ? 'warning' : 'progressing', reason);
  return verdict(isUpdated && !hasLeftOver ? 'ok' : 'progressing', reason, works);
}

/** Before Kubernetes 1.31, a row has no status. */
function jobRow(cell: Cells): Verdict {
  const status = textOf(cell('Status'));
  if (status === 'Failed' || status === 'FailureTarget') return verdict('failed', status);
  if (status === 'Suspended') return verdict('none', status);
  const [done = 0, wanted = 1] = numbersOf(cell('Completions'));
  return verdict(status === 'Complete' || done >= wanted ? 'ended' : 'progressing', status);
}

function job(object: KubernetesObject): Verdict {
  const { suspend = false } = specOf(object);
  const { active } = statusOf(object);
  if (hasCondition(object, 'Complete')) return verdict('ended', 'complete');
  if (failedConditions(object).length > 0) return verdict('failed', 'failed', suspend);
  if (suspend) return verdict('none', 'suspended');
  return verdict('progressing', 'running', typeof active === 'number' && active > 0);
}

type Healths = Readonly<Record<string, ResourceHealth>>;

function byWord(word: string, healths: Healths): Verdict {
  const key = word.toLowerCase();
  const known = Object.hasOwn(healths, key) ? healths[key] : undefined;
  const isBad = healths === HEALTH_BY_STATUS && !/\W/.test(word) && BAD_REASONS.test(word);
  return verdict(known ?? (isBad ? 'failed' : 'none'), word);
}

function byStatus(column: string, healths: Healths): Required<Pick<Rule, 'row'>> {
  return { row: (cell) => byWord(textOf(cell(column)), healths) };
}

/** Kinds of which tables print the phase. */
function byPhase(healths: Healths): Rule {
  return {
    ...byStatus('Status', healths),
    object: (object) => byWord(statusOf(object).phase ?? '', healths),
  };
}

function verdict(health: ResourceHealth, reason: string | null = null, works = isReady(health)): Verdict {
  return { health, reason: reason || null, works };
}

function textOf(cell: TableCell): string {
  return String(cell ?? '');
}

/** The numbers in `1/2` or `1/2 of 3`. */
function numbersOf(cell: TableCell): number[] {
  return (textOf(cell).match(/\d+/g) ?? []).map(Number);
}
