export const BELONGINGS = [
  'runtime',
  'cluster',
  'namespace',
  'workload',
  'pod',
  'container',
  'node',
] as const;
export type Belonging = (typeof BELONGINGS)[number];

/**
 * What sources belong to, all of it together; a source that comes later and belongs there is meant too. `*` is any node,
 * or any container not in a cluster.
 */
export type Belongings = Readonly<Partial<Record<Belonging, string>>>;

/** Which sources are shown: by what they belong to, and named one by one. */
export interface SourceChoice {
  groups: readonly Belongings[];
  keys: readonly string[];
}
