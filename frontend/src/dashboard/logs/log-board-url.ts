import type { JobDto, ResourceObjectDto } from '../../shared/api/api-types';
import { served } from '../../shared/api/base-path';

/** Filter for the log board: all lines that match every field, including later ones. */
export interface LogBoardTarget {
  runtime: string;
  cluster: string;
  namespace?: string;
  /** Kind and name of the Pods' workload: `Deployment/payments-api`. */
  workload?: string;
  pod?: string;
  node?: string;
  /** Time range, `to` exclusive; RFC 3339. */
  from?: string;
  to?: string;
  /** Shows the last line up to this second. */
  at?: string;
}

/** Nodes write lines shortly after a job fails, and their clocks may differ. */
const AFTER_JOB_MS = 5000;

/** Kinds by which the log board groups Pods. */
const WORKLOADS: ReadonlySet<string> = new Set([
  'Deployment',
  'ReplicaSet',
  'StatefulSet',
  'DaemonSet',
  'Job',
  'CronJob',
]);

/** URL of the log board. The server redirects it to the right port. */
export function logBoardUrl(of: LogBoardTarget): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(of)) {
    if (value !== undefined) parameters.set(name, String(value));
  }
  return served(`/log-board?${parameters.toString()}`);
}

/** Logs of an object; null for kinds without logs. */
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

/** Suffix of a CronJob's run: its minute since 1970, not a date such as 20261123. The log board uses the same rule. */
const RUN = /^(?!20)\d{8}$/;

/** The log board groups Pods by Deployment and CronJob rather than by their ReplicaSets and Jobs. */
function workloadOf(kind: string, name: string, owners: ResourceObjectDto['owners']): string {
  const owner = owners.find(({ controller }) => controller);
  const own = owner && name.startsWith(`${owner.name}-`) ? name.slice(owner.name.length + 1) : '';
  const isRun = kind === 'Job' && owner?.kind === 'CronJob' && RUN.test(own);
  const isVersion = kind === 'ReplicaSet' && owner?.kind === 'Deployment' && own !== '';
  return owner && (isRun || isVersion) ? `${owner.kind}/${owner.name}` : `${kind}/${name}`;
}

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
