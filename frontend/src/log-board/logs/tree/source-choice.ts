import type { LogSourceDto } from '../../../shared/api/api-types';
import { plural } from '../../../shared/format/format';
import { BELONGINGS, type Belonging, type Belongings, type SourceChoice } from './belongings';
import { leavesOf, type TreeNode } from './source-groups';

export const NOTHING_CHOSEN: SourceChoice = { groups: [], keys: [] };

/** Each of several groups; a single one is a parameter for each of its parts. */
const GROUPS = 'of';

interface Parameters {
  get: (name: string) => string | null;
  getAll: (name: string) => string[];
}

export function readChoice(address: Parameters): SourceChoice {
  const single = partsOf(BELONGINGS.map((name) => [name, address.get(name) ?? '']));
  const groups = [single, ...address.getAll(GROUPS).map(readGroup)];
  return {
    groups: groups.filter((group) => Object.keys(group).length > 0),
    keys: (address.get('sources') ?? '').split(',').filter(Boolean),
  };
}

/** What the address says for a choice; null takes a parameter away. */
export function choiceParameters({ groups, keys }: SourceChoice): Record<string, string | string[] | null> {
  const [first, ...more] = groups;
  const single: Belongings = first && more.length === 0 ? first : {};
  return {
    ...Object.fromEntries(BELONGINGS.map((name) => [name, single[name] ?? null])),
    [GROUPS]: more.length > 0 ? groups.map(groupText) : null,
    sources: keys.length === 0 ? null : keys.join(','),
  };
}

/** As `cluster:dev;namespace:shop`. */
function groupText(group: Belongings): string {
  return BELONGINGS.flatMap((name) => {
    const value = group[name];
    return value === undefined ? [] : [`${name}:${value.replace(/[%;]/g, encodeURIComponent)}`];
  }).join(';');
}

function readGroup(text: string): Belongings {
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

function partsOf(parts: readonly (readonly [string, string])[]): Belongings {
  const belongings: Partial<Record<Belonging, string>> = {};
  for (const name of BELONGINGS) {
    const value = parts.find((part) => part[0] === name)?.[1];
    if (value) belongings[name] = value;
  }
  return belongings;
}

export function isChosen(source: LogSourceDto, { groups, keys }: SourceChoice): boolean {
  return keys.includes(source.key) || groups.some((group) => fits(source, group));
}

/** Said in words, for a page whose sources are not there yet. */
export function choiceSummary({ groups, keys }: SourceChoice): string {
  if (groups.length === 0) return keys.length === 1 ? $localize`this source` : $localize`these sources`;
  const words = groups.map(groupLabel).join(' or ');
  return keys.length === 0
    ? words
    : $localize`${words}:selection: or ${plural(keys.length, 'source')}:sources:`;
}

function groupLabel(group: Belongings): string {
  return BELONGINGS.flatMap((name) => {
    const value = group[name];
    if (value === undefined) return [];
    if (value === '*') return name === 'node' ? [$localize`any node`] : [$localize`not in a cluster`];
    return [`${name === 'runtime' ? 'engine' : name} ${value}`];
  }).join(', ');
}

/** With a group as a whole, which stands for all that is in it. */
export function withGroup(
  choice: SourceChoice,
  group: Belongings,
  sources: readonly LogSourceDto[],
): SourceChoice {
  const within = new Set(sources.filter((source) => fits(source, group)).map(({ key }) => key));
  return {
    groups: [...choice.groups.filter((other) => !isWithin(other, group)), group],
    keys: choice.keys.filter((key) => !within.has(key)),
  };
}

/** With sources that are named one by one. */
export function withSources(choice: SourceChoice, sources: readonly LogSourceDto[]): SourceChoice {
  const more = sources.filter((source) => !isChosen(source, choice)).map(({ key }) => key);
  return { ...choice, keys: [...choice.keys, ...more] };
}

/**
 * Without some sources. A group that they are of is left as a whole; what else is in it stays chosen, as wholes again as
 * far as that goes.
 * @param tree of all sources
 */
export function withoutSources(
  choice: SourceChoice,
  unwanted: ReadonlySet<number>,
  tree: readonly TreeNode[],
): SourceChoice {
  const leaves = leavesOf(tree).filter(({ id }) => unwanted.has(id));
  const keys = new Set(leaves.map(({ key }) => key));
  const rest: { groups: Belongings[]; keys: string[] } = {
    groups: [],
    keys: choice.keys.filter((key) => !keys.has(key)),
  };
  for (const group of choice.groups) {
    if (!leaves.some((source) => fits(source, group))) rest.groups.push(group);
    else for (const node of tree) addRest(rest, node, group, unwanted);
  }
  return rest;
}

function addRest(
  rest: { groups: Belongings[]; keys: string[] },
  { source, children, belongings, ids }: TreeNode,
  group: Belongings,
  unwanted: ReadonlySet<number>,
): void {
  if (source) {
    if (fits(source, group) && !unwanted.has(source.id)) rest.keys.push(source.key);
  } else if (belongings && isWithin(belongings, group) && !ids.some((id) => unwanted.has(id))) {
    rest.groups.push(belongings);
  } else for (const child of children) addRest(rest, child, group, unwanted);
}

export function isSameGroup(one: Belongings, other: Belongings): boolean {
  return BELONGINGS.every((name) => one[name] === other[name]);
}

/** Whether a group is chosen as a whole; null is none that could be. */
export function isChosenGroup(group: Belongings | null, { groups }: SourceChoice): boolean {
  return group !== null && groups.some((chosen) => isSameGroup(chosen, group));
}

/** Whether all that belongs to the one belongs to the other as well. */
function isWithin(inner: Belongings, outer: Belongings): boolean {
  return BELONGINGS.every((name) => {
    const value = outer[name];
    const own = inner[name];
    if (value === undefined) return true;
    if (own === undefined) return false;
    return value === '*' || value === own || (name === 'workload' && own.endsWith(`/${value}`));
  });
}

function fits(source: LogSourceDto, group: Belongings): boolean {
  return Object.entries(group).every(([name, value]) =>
    belongsTo(source, name as Belonging, value, group.pod !== undefined),
  );
}

function belongsTo(source: LogSourceDto, name: Belonging, value: string, ofPod: boolean): boolean {
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
      // Of a pod: the one of that name, or its only one. Alone: a container of an engine.
      if (ofPod) return source.container === value || source.container === null;
      if (value === '*') return source.kind === 'container' && source.cluster === null;
      return source.kind === 'container' && source.name === value;
    case 'node':
      return source.kind !== 'pod' && source.cluster !== null && (value === '*' || source.name === value);
  }
}
