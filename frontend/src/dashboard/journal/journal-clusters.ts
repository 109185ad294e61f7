import type { JournalView } from './journal-address';

/** A choice of the cluster filter: all clusters of a name, or one of an engine. */
export interface ClusterChoice {
  /** `name`, or `name@engine`. */
  value: string;
  text: string;
}

interface KnownCluster {
  name: string;
  /** Null in old entries. */
  runtime: string | null;
}

type ClusterFilter = Pick<JournalView, 'cluster' | 'runtime'>;

/** Cluster names that several engines have. */
export function sharedNames(known: readonly KnownCluster[]): ReadonlySet<string> {
  const runtimes = new Map<string, Set<string>>();
  for (const { name, runtime } of known) {
    if (runtime === null) continue;
    runtimes.set(name, (runtimes.get(name) ?? new Set()).add(runtime));
  }
  return new Set([...runtimes].filter(([, { size }]) => size > 1).map(([name]) => name));
}

/** Each name, and each engine of a shared name. Includes the present filter. */
export function clusterChoices(known: readonly KnownCluster[], chosen: ClusterFilter): ClusterChoice[] {
  const shared = sharedNames(known);
  const values = known.flatMap(({ name, runtime }) =>
    runtime !== null && shared.has(name) ? [name, `${name}@${runtime}`] : [name],
  );
  return [...new Set([...values, choiceValue(chosen)])]
    .filter(Boolean)
    .sort()
    .map((value) => ({ value, text: value.replace('@', $localize` on `) }));
}

export function choiceValue({ cluster, runtime }: ClusterFilter): string {
  return runtime === '' ? cluster : `${cluster}@${runtime}`;
}

export function readChoice(value: string): ClusterFilter {
  const [cluster = '', runtime = ''] = value.split('@');
  return { cluster, runtime };
}
