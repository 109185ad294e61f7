import type { ResourceType, TableCell, TableColumn, TableRow } from '../../../drivers/kubernetes/index.js';
import type { HealthCountsDto, ResourceHealth } from '../common/resource.dto.js';

type Cells = (column: string) => TableCell;
type Kind = Pick<ResourceType, 'group' | 'plural' | 'custom'>;
type HealthRule = (cell: Cells) => ResourceHealth;

/** Sort order: rows that need attention come first. */
export const HEALTH_ORDER: readonly ResourceHealth[] = [
  'failed',
  'warning',
  'progressing',
  'ok',
  'none',
  'ended',
];

const pods: HealthRule = (cell) => {
  const status = String(cell('Status'));
  if (status === 'Running') return isFull(cell('Ready')) ? 'ok' : 'warning';
  if (status === 'Completed' || status === 'Succeeded') return 'ended';
  if (status === 'NotReady') return 'warning';
  if (
    /^(Pending|ContainerCreating|PodInitializing|Terminating|SchedulingGated|Init:\d+\/\d+)$/.test(status)
  ) {
    return 'progressing';
  }
  // Everything else is a reason, such as CrashLoopBackOff, ErrImagePull, Evicted, Init:Error or ExitCode:1.
  return 'failed';
};

const nodes: HealthRule = (cell) => {
  const conditions = String(cell('Status')).split(',');
  if (!conditions.includes('Ready')) return 'failed';
  return conditions.includes('SchedulingDisabled') ? 'warning' : 'ok';
};

/** `Ready` is `1/2`; `Up-to-date` counts the pods of the newest template. */
const deployments: HealthRule = (cell) => {
  const [ready = 0, wanted = 0] = numbersOf(cell('Ready'));
  return replicasHealth({ ready, wanted, current: Number(cell('Up-to-date') ?? wanted) });
};

const statefulSets: HealthRule = (cell) => {
  const [ready = 0, wanted = 0] = numbersOf(cell('Ready'));
  return replicasHealth({ ready, wanted, current: wanted });
};

const replicaSets: HealthRule = (cell) =>
  replicasHealth({
    ready: Number(cell('Ready')),
    wanted: Number(cell('Desired')),
    current: Number(cell('Current')),
  });

const daemonSets: HealthRule = (cell) =>
  replicasHealth({
    ready: Number(cell('Ready')),
    wanted: Number(cell('Desired')),
    current: Number(cell('Up-to-date') ?? cell('Current')),
  });

const jobs: HealthRule = (cell) => {
  const status = cell('Status');
  if (status === 'Failed' || status === 'FailureTarget') return 'failed';
  if (status === 'Suspended') return 'none';
  const [done = 0, wanted = 1] = numbersOf(cell('Completions'));
  return status === 'Complete' || done >= wanted ? 'ended' : 'progressing';
};

const ingressesAndServices: HealthRule = (cell) =>
  String(cell('External-IP')).includes('<pending>') ? 'progressing' : 'none';

/** By group and plural. Other built-in kinds have no health. */
const HEALTH_RULES: Readonly<Record<string, HealthRule>> = {
  '/pods': pods,
  '/nodes': nodes,
  '/namespaces': byStatus('Status', { Active: 'ok', Terminating: 'progressing' }),
  '/persistentvolumeclaims': byStatus('Status', { Bound: 'ok', Pending: 'progressing', Lost: 'failed' }),
  '/persistentvolumes': byStatus('Status', {
    Available: 'ok',
    Bound: 'ok',
    Pending: 'progressing',
    Released: 'warning',
    Failed: 'failed',
  }),
  '/events': byStatus('Type', { Warning: 'warning' }),
  '/services': ingressesAndServices,
  '/replicationcontrollers': replicaSets,
  'apps/deployments': deployments,
  'apps/replicasets': replicaSets,
  'apps/statefulsets': statefulSets,
  'apps/daemonsets': daemonSets,
  'batch/jobs': jobs,
  'batch/cronjobs': byStatus('Suspend', { false: 'ok' }),
  'autoscaling/horizontalpodautoscalers': (cell) =>
    String(cell('Targets')).includes('<unknown>') ? 'warning' : 'ok',
  'apiregistration.k8s.io/apiservices': (cell) => (cell('Available') === 'True' ? 'ok' : 'failed'),
  'certificates.k8s.io/certificatesigningrequests': (cell) =>
    /Denied|Failed/.test(String(cell('Condition')))
      ? 'failed'
      : String(cell('Condition')).includes('Pending')
        ? 'progressing'
        : 'ok',
};

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
  failed: 'failed',
  error: 'failed',
  degraded: 'failed',
  unhealthy: 'failed',
  missing: 'warning',
  warning: 'warning',
  unknown: 'progressing',
  pending: 'progressing',
  progressing: 'progressing',
  succeeded: 'ended',
  completed: 'ended',
};

/** Columns of custom resources that contain a status; the first match wins. */
const STATUS_COLUMNS = ['Ready', 'Health Status', 'Health', 'Available', 'Status', 'State', 'Phase'];

/** Whether a kind has health, so that all rows must be read to count it. */
export function hasHealth({ group, plural, custom }: Kind): boolean {
  return custom || Object.hasOwn(HEALTH_RULES, `${group}/${plural}`);
}

/** Derives the health of a row from the cells that kubectl shows. */
export function healthOf(
  { group, plural, custom }: Kind,
  columns: readonly TableColumn[],
): (row: TableRow) => ResourceHealth {
  const places = new Map(columns.map(({ name }, index) => [name, index]));
  const rule = custom ? customRule(places) : HEALTH_RULES[`${group}/${plural}`];
  return (row) => {
    if (row.deletedAt !== null) return 'progressing';
    if (!rule) return 'none';
    return rule((column) => row.cells[places.get(column) ?? -1] ?? null);
  };
}

export function noHealth(): HealthCountsDto {
  return { ok: 0, progressing: 0, warning: 0, failed: 0, ended: 0, none: 0 };
}

export function countHealth(healths: Iterable<ResourceHealth>): HealthCountsDto {
  const counts = noHealth();
  for (const health of healths) counts[health] += 1;
  return counts;
}

function customRule(places: ReadonlyMap<string, number>): HealthRule | undefined {
  const column = STATUS_COLUMNS.find((name) => places.has(name));
  return column === undefined
    ? undefined
    : (cell) => HEALTH_BY_STATUS[String(cell(column)).toLowerCase()] ?? 'none';
}

function byStatus(column: string, healths: Readonly<Record<string, ResourceHealth>>): HealthRule {
  return (cell) => {
    const word = String(cell(column)).toLowerCase();
    return Object.entries(healths).find(([known]) => known.toLowerCase() === word)?.[1] ?? 'none';
  };
}

function replicasHealth({
  ready,
  wanted,
  current,
}: Record<'ready' | 'wanted' | 'current', number>): ResourceHealth {
  if (wanted === 0) return 'none';
  if (current < wanted) return 'progressing';
  return ready >= wanted ? 'ok' : 'warning';
}

function isFull(cell: TableCell): boolean {
  const [ready, wanted] = numbersOf(cell);
  return ready !== undefined && ready === wanted;
}

/** The numbers in `1/2` or `1/2 of 3`. */
function numbersOf(cell: TableCell): number[] {
  return (String(cell).match(/\d+/g) ?? []).map(Number);
}
