import type { TableCell, TableColumn, TableRow, TypeName } from '../../../drivers/kubernetes/index.js';
import type { HealthCountsDto, ResourceHealth } from '../resource.dto.js';

type Cells = (column: string) => TableCell;
type Judge = (cell: Cells) => ResourceHealth;

/** What needs attention comes first. */
export const HEALTH_ORDER: readonly ResourceHealth[] = [
  'failed',
  'warning',
  'progressing',
  'ok',
  'none',
  'ended',
];

const pods: Judge = (cell) => {
  const status = String(cell('Status'));
  if (status === 'Running') return isFull(cell('Ready')) ? 'ok' : 'warning';
  if (status === 'Completed' || status === 'Succeeded') return 'ended';
  if (status === 'NotReady') return 'warning';
  if (
    /^(Pending|ContainerCreating|PodInitializing|Terminating|SchedulingGated|Init:\d+\/\d+)$/.test(status)
  ) {
    return 'progressing';
  }
  // CrashLoopBackOff, ErrImagePull, Evicted, Init:Error, ExitCode:1: whatever else kubectl says is a reason.
  return 'failed';
};

const nodes: Judge = (cell) => {
  const conditions = String(cell('Status')).split(',');
  if (!conditions.includes('Ready')) return 'failed';
  return conditions.includes('SchedulingDisabled') ? 'warning' : 'ok';
};

/** `1/2`, with what the newest template has brought so far. */
const deployments: Judge = (cell) => {
  const [ready = 0, wanted = 0] = numbersOf(cell('Ready'));
  return replicasHealth({ ready, wanted, made: Number(cell('Up-to-date') ?? wanted) });
};

const statefulSets: Judge = (cell) => {
  const [ready = 0, wanted = 0] = numbersOf(cell('Ready'));
  return replicasHealth({ ready, wanted, made: wanted });
};

const replicaSets: Judge = (cell) =>
  replicasHealth({
    ready: Number(cell('Ready')),
    wanted: Number(cell('Desired')),
    made: Number(cell('Current')),
  });

const daemonSets: Judge = (cell) =>
  replicasHealth({
    ready: Number(cell('Ready')),
    wanted: Number(cell('Desired')),
    made: Number(cell('Up-to-date') ?? cell('Current')),
  });

const jobs: Judge = (cell) => {
  const status = cell('Status');
  if (status === 'Failed' || status === 'FailureTarget') return 'failed';
  if (status === 'Suspended') return 'none';
  const [done = 0, wanted = 1] = numbersOf(cell('Completions'));
  return status === 'Complete' || done >= wanted ? 'ended' : 'progressing';
};

const ingressesAndServices: Judge = (cell) =>
  String(cell('External-IP')).includes('<pending>') ? 'progressing' : 'none';

/** By group and plural. A kind that is not here has no health of its own. */
const JUDGES: Readonly<Record<string, Judge>> = {
  '/pods': pods,
  '/nodes': nodes,
  '/namespaces': byWord('Status', { Active: 'ok', Terminating: 'progressing' }),
  '/persistentvolumeclaims': byWord('Status', { Bound: 'ok', Pending: 'progressing', Lost: 'failed' }),
  '/persistentvolumes': byWord('Status', {
    Available: 'ok',
    Bound: 'ok',
    Pending: 'progressing',
    Released: 'warning',
    Failed: 'failed',
  }),
  '/events': byWord('Type', { Warning: 'warning' }),
  '/services': ingressesAndServices,
  '/replicationcontrollers': replicaSets,
  'apps/deployments': deployments,
  'apps/replicasets': replicaSets,
  'apps/statefulsets': statefulSets,
  'apps/daemonsets': daemonSets,
  'batch/jobs': jobs,
  'batch/cronjobs': byWord('Suspend', { false: 'ok' }),
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

/** Words that controllers of custom kinds use for how something stands, whatever their case. */
const WORDS: Readonly<Record<string, ResourceHealth>> = {
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

/** Columns of custom kinds that tell how something stands, the more telling first. */
const TELLING = ['Ready', 'Health Status', 'Health', 'Available', 'Status', 'State', 'Phase'];

/** Whether rows of a kind can stand in one way or another, so that all have to be looked at to count them. */
export function hasHealth({
  group,
  plural,
  custom,
}: Pick<TypeName, 'group' | 'plural'> & { custom: boolean }): boolean {
  return custom || Object.hasOwn(JUDGES, `${group}/${plural}`);
}

/** Tells of each row how it stands, from the cells that kubectl shows. */
export function healthOf(
  { group, plural, custom }: Pick<TypeName, 'group' | 'plural'> & { custom: boolean },
  columns: readonly TableColumn[],
): (row: TableRow) => ResourceHealth {
  const places = new Map(columns.map(({ name }, index) => [name, index]));
  const judge = custom ? judgeOfCustom(places) : JUDGES[`${group}/${plural}`];
  return (row) => {
    if (row.deletedAt !== null) return 'progressing';
    if (!judge) return 'none';
    return judge((column) => row.cells[places.get(column) ?? -1] ?? null);
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

function judgeOfCustom(places: ReadonlyMap<string, number>): Judge | undefined {
  const column = TELLING.find((name) => places.has(name));
  return column === undefined ? undefined : (cell) => WORDS[String(cell(column)).toLowerCase()] ?? 'none';
}

function byWord(column: string, healths: Readonly<Record<string, ResourceHealth>>): Judge {
  return (cell) => {
    const word = String(cell(column)).toLowerCase();
    return Object.entries(healths).find(([known]) => known.toLowerCase() === word)?.[1] ?? 'none';
  };
}

function replicasHealth({
  ready,
  wanted,
  made,
}: Record<'ready' | 'wanted' | 'made', number>): ResourceHealth {
  if (wanted === 0) return 'none';
  if (made < wanted) return 'progressing';
  return ready >= wanted ? 'ok' : 'warning';
}

function isFull(cell: TableCell): boolean {
  const [ready, wanted] = numbersOf(cell);
  return ready !== undefined && ready === wanted;
}

/** `1/2`, also with words after it. */
function numbersOf(cell: TableCell): number[] {
  return (String(cell).match(/\d+/g) ?? []).map(Number);
}
