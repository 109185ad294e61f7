import type { LogSourceDto } from '../../shared/api/api-types';
import { wordFilter } from '../../shared/format/words';
import type { SourceGroup } from './source-group';
import { fullName, sourceName, workloadName } from './source-names';

/** A row of the tree: a group with rows below it, or a source. */
export interface TreeNode {
  /** Stays the same while sources come and go. */
  id: string;
  name: string;
  title: string;
  runtime: string | null;
  source: LogSourceDto | null;
  /** The group as a selection that includes future sources; null for a source or a part of a group. */
  group: SourceGroup | null;
  children: TreeNode[];
  ids: number[];
  rate: number;
}

/** A workload with fewer sources has no node of its own. */
const WORKLOAD_GROUP = 4;

/** Clusters by engine, with namespaces and workloads; then containers outside clusters; then all that is deleted. */
export function groupSources(sources: readonly LogSourceDto[]): TreeNode[] {
  const { live = [], gone = [] } = Object.groupBy(topGroups(sources), (node) =>
    isGone(node) ? 'gone' : 'live',
  );
  return gone.length === 0 ? live : [...live, groupNode('gone', $localize`Deleted`, gone)];
}

function topGroups(sources: readonly LogSourceDto[]): TreeNode[] {
  const clusters = [
    ...Map.groupBy(sources.filter(inCluster), ({ runtime, cluster }) => `${runtime}/${cluster}`),
  ];
  const others = [
    ...Map.groupBy(
      sources.filter((source) => !inCluster(source)),
      ({ runtime }) => runtime,
    ),
  ];
  return [
    ...clusters.map(([id, members]) => clusterNode(`cluster/${id}`, members)).sort(byEngineAndName),
    ...others.map(([runtime, members]) => othersNode(runtime, members, others.length > 1)),
  ];
}

export function findSources(nodes: readonly TreeNode[], text: string): TreeNode[] {
  if (text.trim() === '') return [...nodes];
  const fits = wordFilter(text);
  const walk = (node: TreeNode, above: string): TreeNode[] => {
    const path = `${above} ${node.name} ${node.title}`;
    if (node.source !== null) return fits(path) ? [node] : [];
    const children = node.children.flatMap((child) => walk(child, path));
    if (children.length === 0) return [];
    const found = { ...groupNode(node.id, node.name, children), title: node.title, runtime: node.runtime };
    // A group whose sources all match remains a whole group.
    return [{ ...found, group: found.ids.length === node.ids.length ? node.group : null }];
  };
  return nodes.flatMap((node) => walk(node, ''));
}

/**
 * Hides some sources. A whole group still selects all of its sources; a part of a group, only those that are shown.
 * @param isKept whether a group without shown sources stays
 */
export function withoutLeaves(
  nodes: readonly TreeNode[],
  isHidden: (source: LogSourceDto) => boolean,
  isKept: (group: TreeNode) => boolean = () => false,
): TreeNode[] {
  return nodes.flatMap((node) => {
    if (node.source !== null) return isHidden(node.source) ? [] : [node];
    const children = withoutLeaves(node.children, isHidden, isKept);
    if (children.length === 0 && !isKept(node)) return [];
    const ids = node.group === null ? leavesOf(children).map(({ id }) => id) : node.ids;
    return [{ ...node, children, ids }];
  });
}

export function leavesOf(nodes: readonly TreeNode[]): LogSourceDto[] {
  return nodes.flatMap(({ source, children }) => (source ? [source] : leavesOf(children)));
}

export interface TreeRow {
  node: TreeNode;
  level: number;
  position: number;
  siblings: number;
  /** Null for a row without children. */
  expanded: boolean | null;
  parent: string | null;
}

export function openRows(
  nodes: readonly TreeNode[],
  isOpen: (node: TreeNode, level: number) => boolean,
): TreeRow[] {
  const rows: TreeRow[] = [];
  const walk = (children: readonly TreeNode[], level: number, parent: string | null): void => {
    children.forEach((node, index) => {
      const expanded = node.children.length > 0 ? isOpen(node, level) : null;
      rows.push({ node, level, position: index + 1, siblings: children.length, expanded, parent });
      if (expanded === true) walk(node.children, level + 1, node.id);
    });
  };
  walk(nodes, 0, null);
  return rows;
}

export type Check = 'none' | 'some' | 'all';

export function checkOf(ids: readonly number[], selected: ReadonlySet<number>): Check {
  const count = ids.reduce((sum, id) => sum + (selected.has(id) ? 1 : 0), 0);
  if (count === 0) return 'none';
  return count === ids.length ? 'all' : 'some';
}

function inCluster({ cluster }: LogSourceDto): boolean {
  return cluster !== null;
}

function clusterNode(id: string, members: readonly LogSourceDto[]): TreeNode {
  const [first] = members;
  const name = first?.cluster ?? '';
  const runtime = first?.runtime ?? '';
  const group = { runtime, cluster: name };
  const pods = Map.groupBy(
    members.filter(({ kind }) => kind === 'pod'),
    ({ namespace }) => namespace ?? '',
  );
  const namespaces = [...pods]
    .map(([namespace, sources]) => namespaceNode(`${id}/${namespace}`, { ...group, namespace }, sources))
    .sort(byName);
  const nodes = members.filter(({ kind }) => kind !== 'pod').map(leaf);
  const services = {
    ...groupNode(`${id}//nodes`, $localize`Node services`, nodes.sort(byName)),
    group: { ...group, node: '*' },
  };
  return {
    ...groupNode(id, name, [...namespaces, ...(nodes.length === 0 ? [] : [services])]),
    title: $localize`Cluster ${name}:name: on ${runtime}:engine:`,
    runtime,
    group,
  };
}

function namespaceNode(
  id: string,
  group: SourceGroup & { namespace: string },
  sources: readonly LogSourceDto[],
): TreeNode {
  const workloads = [...Map.groupBy(sources, (source) => source.workload ?? source.name)];
  const children = workloads.flatMap(([workload, members]) => {
    const leaves = members.map(leaf).sort(byName);
    const [first] = members;
    if (leaves.length < WORKLOAD_GROUP || !first) return leaves;
    const own = first.workload === null ? { pod: first.name } : { workload };
    return [
      {
        ...groupNode(`${id}/${workload}`, workloadName(first) ?? first.name, leaves),
        title: workload,
        group: { ...group, ...own },
      },
    ];
  });
  return { ...groupNode(id, group.namespace, children.sort(byName)), group };
}

/** Containers of an engine outside clusters. @param isNamed whether other engines have some, too */
function othersNode(runtime: string, members: readonly LogSourceDto[], isNamed: boolean): TreeNode {
  const id = `others/${runtime}`;
  const group = { runtime, container: '*' };
  const projects = Map.groupBy(members, ({ workload }) => workload);
  const children = [...projects].flatMap(([workload, sources]) => {
    const leaves = sources.map(leaf).sort(byName);
    if (workload === null) return leaves;
    return [
      {
        ...groupNode(`${id}/${workload}`, workloadName({ workload }) ?? workload, leaves),
        title: workload,
        group: { ...group, workload },
      },
    ];
  });
  const kind = isNamed ? `${runtime.charAt(0).toUpperCase()}${runtime.slice(1)}` : $localize`Other`;
  return {
    ...groupNode(id, $localize`${kind}:engine: containers`, children.sort(byName)),
    title: $localize`${runtime}:engine: containers outside clusters`,
    runtime,
    group,
  };
}

function leaf(source: LogSourceDto): TreeNode {
  return {
    id: source.key,
    name: sourceName(source),
    title: fullName(source),
    runtime: null,
    source,
    group: null,
    children: [],
    ids: [source.id],
    rate: source.rate,
  };
}

function isGone({ source, children }: TreeNode): boolean {
  return source ? source.state === 'gone' : children.every(isGone);
}

function groupNode(id: string, name: string, children: TreeNode[]): TreeNode {
  return {
    id,
    name,
    title: name,
    runtime: null,
    source: null,
    group: null,
    children,
    ids: children.flatMap(({ ids }) => ids),
    rate: children.reduce((sum, { rate }) => sum + rate, 0),
  };
}

/** Deleted sources come last. */
function byName(one: TreeNode, other: TreeNode): number {
  const order = Number(isGone(one)) - Number(isGone(other));
  return (
    order || one.name.localeCompare(other.name, 'en', { numeric: true }) || one.id.localeCompare(other.id)
  );
}

function byEngineAndName(one: TreeNode, other: TreeNode): number {
  return (one.runtime ?? '').localeCompare(other.runtime ?? '') || byName(one, other);
}
