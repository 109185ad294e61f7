import type { JobDto, ResourceObjectDto } from '../../shared/api/api-types';

/** What the log board is to show: everything that fits all of it, also what comes later. */
export interface LogBoardTarget {
  runtime: string;
  cluster: string;
  namespace?: string;
  /** Kind and name of what pods run for: `Deployment/payments-api`. */
  workload?: string;
  pod?: string;
  node?: string;
  /** What was written from a time on, and before another one; RFC 3339. */
  from?: string;
  to?: string;
}

/** What the nodes write as a job fails, and after it by their own clock. */
const AFTER_JOB_MS = 5000;

/** Kinds whose pods the log board gathers under their name. */
const WORKLOADS: ReadonlySet<string> = new Set([
  'Deployment',
  'ReplicaSet',
  'StatefulSet',
  'DaemonSet',
  'Job',
  'CronJob',
]);

/** Leads to the log board, which may be at another port: the server knows where. */
export function logBoardUrl(of: LogBoardTarget): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(of)) {
    if (value !== undefined) parameters.set(name, String(value));
  }
  return `/log-board?${parameters.toString()}`;
}

/** Logs that belong to an object; null for kinds that write none. */
export function logsOfObject(
  key: { runtime: string; name: string },
  { type, namespace, name, owners }: Pick<ResourceObjectDto, 'type' | 'namespace' | 'name' | 'owners'>,
): LogBoardTarget | null {
  const cluster = { runtime: key.runtime, cluster: key.name };
  if (type.group === 'core' && type.kind === 'Node') return { ...cluster, node: name };
  if (namespace === null) return null;
  if (type.group === 'core' && type.kind === 'Pod') return { ...cluster, namespace, pod: name };
  const isWorkload = ['apps', 'batch'].includes(type.group) && WORKLOADS.has(type.kind);
  return isWorkload ? { ...cluster, namespace, workload: workloadOf(type.kind, name, owners) } : null;
}

/** As the log board tells it: the minute of a run, and not a day that somebody wrote behind a name. */
const RUN = /^(?!20)\d{8}$/;

/** What the log board gathers pods under is the Deployment and the CronJob that they are made for in the end. */
function workloadOf(kind: string, name: string, owners: ResourceObjectDto['owners']): string {
  const owner = owners.find(({ controller }) => controller);
  const own = owner && name.startsWith(`${owner.name}-`) ? name.slice(owner.name.length + 1) : '';
  const isRun = kind === 'Job' && owner?.kind === 'CronJob' && RUN.test(own);
  const isVersion = kind === 'ReplicaSet' && owner?.kind === 'Deployment' && own !== '';
  return owner && (isRun || isVersion) ? `${owner.kind}/${owner.name}` : `${kind}/${name}`;
}

/** What the nodes of its cluster wrote during a job. */
export function logsOfJob({
  runtime,
  cluster,
  created_at,
  started_at,
  finished_at,
}: Pick<JobDto, 'runtime' | 'cluster' | 'created_at' | 'started_at' | 'finished_at'>): LogBoardTarget {
  const end = finished_at === null ? null : new Date(Date.parse(finished_at) + AFTER_JOB_MS);
  return { runtime, cluster, from: started_at ?? created_at, ...(end && { to: end.toISOString() }) };
}
