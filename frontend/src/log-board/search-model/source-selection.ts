import type { LogSourceDto } from '../../shared/api/api-types';
import type { Parameters } from '../../shared/search/log-query';
import { GROUP_FIELDS, type GroupField, type SourceGroup, type SourceSelection } from './source-group';
import { leavesOf, type TreeNode } from './source-groups';
import { formatList, plural, sourceCount } from '../../shared/format/format';
import { rawText } from '../../shared/format/raw-text';

export const EMPTY_SELECTION: SourceSelection = { groups: [], keys: [] };

/** Without a choice, the page shows all sources. */
export function isEmptySelection({ groups, keys }: SourceSelection): boolean {
  return groups.length === 0 && keys.length === 0;
}

/** Repeated for several groups; a single group has a parameter per field. */
const GROUPS = 'of';

export function readSelection(address: Parameters): SourceSelection {
  const single = partsOf(GROUP_FIELDS.map((name) => [name, address.get(name) ?? '']));
  const groups = [single, ...address.getAll(GROUPS).map(readGroup)];
  return {
    groups: groups.filter((group) => Object.keys(group).length > 0),
    keys: (address.get('sources') ?? '').split(',').filter(Boolean),
  };
}

/** Query parameters of a selection; null removes a parameter. */
export function selectionParameters({
  groups,
  keys,
}: SourceSelection): Record<string, string | string[] | null> {
  const [first, ...more] = groups;
  const single: SourceGroup = first && more.length === 0 ? first : {};
  return {
    ...Object.fromEntries(GROUP_FIELDS.map((name) => [name, single[name] ?? null])),
    [GROUPS]: more.length > 0 ? groups.map(groupText) : null,
    sources: keys.length === 0 ? null : keys.join(','),
  };
}

/** As `cluster:dev;namespace:shop`. */
function groupText(group: SourceGroup): string {
  return GROUP_FIELDS.flatMap((name) => {
    const value = group[name];
    return value === undefined ? [] : [`${name}:${value.replace(/[%;]/g, encodeURIComponent)}`];
  }).join(';');
}

function readGroup(text: string): SourceGroup {
  return partsOf(
    text.split(';').map((part) => {
      const [name = ''] = part.split(':', 1);
      return [
        name,
        part
          .slice(name.length + 1)
          .replaceAll('%3B', ';')
          .replaceAll('%25', '%'),
      ];
    }),
  );
}

function partsOf(parts: readonly (readonly [string, string])[]): SourceGroup {
  const group: Partial<Record<GroupField, string>> = {};
  for (const name of GROUP_FIELDS) {
    const value = parts.find((part) => part[0] === name)?.[1];
    if (value) group[name] = value;
  }
  return group;
}

export function isSelected(source: LogSourceDto, { groups, keys }: SourceSelection): boolean {
  return keys.includes(source.key) || groups.some((group) => fits(source, group));
}

/** For a page without its sources. */
export function selectionSummary({ groups, keys }: SourceSelection): string {
  if (groups.length === 0) {
    return plural(keys.length, () => ({ one: $localize`this source`, other: $localize`these sources` }));
  }
  const sources = keys.length === 0 ? [] : [sourceCount(keys.length)];
  // Labels of groups contain commas, so that a list with commas would be ambiguous.
  return [...groups.map(groupLabel), ...sources].reduce((one, other) =>
    formatList([one, other], 'disjunction'),
  );
}

const FIELD_LABELS: Readonly<Record<GroupField, (value: string) => string>> = {
  runtime: (value) => $localize`engine ${value}:engine:`,
  cluster: (value) => $localize`cluster ${value}:cluster:`,
  node: (value) => $localize`node ${value}:node:`,
  namespace: (value) => $localize`namespace ${value}:namespace:`,
  workload: (value) => $localize`workload ${value}:workload:`,
  pod: (value) => $localize`pod ${value}:pod:`,
  container: (value) => $localize`container ${value}:container:`,
};

function groupLabel(group: SourceGroup): string {
  return GROUP_FIELDS.flatMap((name) => {
    const value = group[name];
    if (value === undefined) return [];
    if (value === '*') return name === 'node' ? [$localize`any node`] : [$localize`not in a cluster`];
    return [FIELD_LABELS[name](rawText(value))];
  }).join(', ');
}

export function withGroup(
  selection: SourceSelection,
  group: SourceGroup,
  sources: readonly LogSourceDto[],
): SourceSelection {
  const within = new Set(sources.filter((source) => fits(source, group)).map(({ key }) => key));
  return {
    groups: [...selection.groups.filter((other) => !isWithin(other, group)), group],
    keys: selection.keys.filter((key) => !within.has(key)),
  };
}

export function withSources(selection: SourceSelection, sources: readonly LogSourceDto[]): SourceSelection {
  const more = sources.filter((source) => !isSelected(source, selection)).map(({ key }) => key);
  return { ...selection, keys: [...selection.keys, ...more] };
}

/**
 * Removes sources. A group that contains one is split: its other members stay selected, as groups if possible.
 * @param tree of all sources
 */
export function withoutSources(
  selection: SourceSelection,
  unwanted: ReadonlySet<number>,
  tree: readonly TreeNode[],
): SourceSelection {
  const leaves = leavesOf(tree).filter(({ id }) => unwanted.has(id));
  const keys = new Set(leaves.map(({ key }) => key));
  const rest: { groups: SourceGroup[]; keys: string[] } = {
    groups: [],
    keys: selection.keys.filter((key) => !keys.has(key)),
  };
  for (const group of selection.groups) {
    if (!leaves.some((source) => fits(source, group))) rest.groups.push(group);
    else for (const node of tree) addRest(rest, node, group, unwanted);
  }
  return rest;
}

function addRest(
  rest: { groups: SourceGroup[]; keys: string[] },
  { source, children, group, ids }: TreeNode,
  removed: SourceGroup,
  unwanted: ReadonlySet<number>,
): void {
  if (source) {
    if (fits(source, removed) && !unwanted.has(source.id)) rest.keys.push(source.key);
  } else if (group && isWithin(group, removed) && !ids.some((id) => unwanted.has(id))) {
    rest.groups.push(group);
  } else for (const child of children) addRest(rest, child, removed, unwanted);
}

export function isSameGroup(one: SourceGroup, other: SourceGroup): boolean {
  return GROUP_FIELDS.every((name) => one[name] === other[name]);
}

export function isSelectedGroup(group: SourceGroup | null, { groups }: SourceSelection): boolean {
  return group !== null && groups.some((selected) => isSameGroup(selected, group));
}

function isWithin(inner: SourceGroup, outer: SourceGroup): boolean {
  return GROUP_FIELDS.every((name) => {
    const value = outer[name];
    const own = inner[name];
    if (value === undefined) return true;
    if (own === undefined) return false;
    return value === '*' || value === own || (name === 'workload' && own.endsWith(`/${value}`));
  });
}

function fits(source: LogSourceDto, group: SourceGroup): boolean {
  return Object.entries(group).every(([name, value]) =>
    belongsTo(source, name as GroupField, value, group.pod !== undefined),
  );
}

function belongsTo(source: LogSourceDto, name: GroupField, value: string, ofPod: boolean): boolean {
  switch (name) {
    case 'runtime':
      return source.runtime === value;
    case 'cluster':
      return source.cluster === value;
    case 'namespace':
      return source.namespace === value;
    case 'workload':
      return source.workload === value || source.workload?.endsWith(`/${value}`) === true;
    case 'pod':
      return source.kind === 'pod' && source.name === value;
    case 'container':
      // In a pod: the container of this name, or the only one. Otherwise: a container of an engine.
      if (ofPod) return source.container === value || source.container === null;
      if (value === '*') return source.kind === 'container' && source.cluster === null;
      return source.kind === 'container' && source.name === value;
    case 'node':
      return source.kind !== 'pod' && source.cluster !== null && (value === '*' || source.name === value);
  }
}
