import type { JournalView } from './journal-address';

/** A cluster that the journal may be filtered for: every one of a name, or the one of an engine. */
export interface ClusterChoice {
  /** `name`, or `name@engine`. */
  value: string;
  text: string;
}

interface KnownCluster {
  name: string;
  /** Null where an older entry does not tell. */
  runtime: string | null;
}

type ClusterFilter = Pick<JournalView, 'cluster' | 'runtime'>;

/** Names that two engines hold a cluster of. */
export function sharedNames(known: readonly KnownCluster[]): ReadonlySet<string> {
  const runtimes = new Map<string, Set<string>>();
  for (const { name, runtime } of known) {
    if (runtime === null) continue;
    runtimes.set(name, (runtimes.get(name) ?? new Set()).add(runtime));
  }
  return new Set([...runtimes].filter(([, { size }]) => size > 1).map(([name]) => name));
}

/** Each name once, and where two engines hold it, each of them too. What is chosen is always among them. */
export function clusterChoices(known: readonly KnownCluster[], chosen: ClusterFilter): ClusterChoice[] {
  const shared = sharedNames(known);
  const values = known.flatMap(({ name, runtime }) =>
    runtime !== null && shared.has(name) ? [name, `${name}@${runtime}`] : [name],
  );
  return [...new Set([...values, choiceValue(chosen)])]
    .filter(Boolean)
    .sort()
    .map((value) => ({ value, text: value.replace('@', ' on ') }));
}

export function choiceValue({ cluster, runtime }: ClusterFilter): string {
  return runtime === '' ? cluster : `${cluster}@${runtime}`;
}

export function readChoice(value: string): ClusterFilter {
  const [cluster = '', runtime = ''] = value.split('@');
  return { cluster, runtime };
}
