export const GROUP_FIELDS = [
  'runtime',
  'cluster',
  'namespace',
  'workload',
  'pod',
  'container',
  'node',
] as const;
export type GroupField = (typeof GROUP_FIELDS)[number];

/** A group of sources, including future ones. `*` is any node, or any container outside clusters. */
export type SourceGroup = Readonly<Partial<Record<GroupField, string>>>;

/** The selected sources: groups, and single sources by key. */
export interface SourceSelection {
  groups: readonly SourceGroup[];
  keys: readonly string[];
}
