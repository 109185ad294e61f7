import type { Overview, ResourceBlockDto, ServerMessage } from '../../../shared/api/api-types';
import { groupKinds, type KindGroup, OTHER_KINDS } from '../../resources/kind-groups';

export interface NamedBlock {
  name: `k8s_${string}`;
  block: ResourceBlockDto;
}

/** The most important kinds: each has a card with rows. */
const CARDS = ['k8s_pods', 'k8s_deployments', 'k8s_services', 'k8s_statefulsets', 'k8s_events'] as const;

/** The sections of the overview. Nodes have their own cards on the page. */
export interface OverviewParts {
  cards: NamedBlock[];
  cells: NamedBlock[];
  /** Internal kinds that are rarely of interest. */
  others: NamedBlock[];
  /** Custom resources by API group. */
  custom: { title: string; blocks: NamedBlock[] }[];
}

function blocksOf(overview: Overview): NamedBlock[] {
  const names = Object.keys(overview).filter((name): name is `k8s_${string}` => name.startsWith('k8s_'));
  return names.flatMap((name) => {
    const block = overview[name];
    return block ? [{ name, block }] : [];
  });
}

export function partsOf(overview: Overview): OverviewParts {
  const blocks = blocksOf(overview);
  const cards = CARDS.flatMap((name) => blocks.filter((block) => block.name === name));
  const rest = blocks.filter((block) => !cards.includes(block));
  // Includes built-in kinds that the cluster does not serve.
  const groups: KindGroup[] = groupKinds(rest.map(({ block }) => ({ ...block.type, verbs: ['list'] })));
  const blocksIn = (each: readonly KindGroup[]): NamedBlock[] =>
    each.flatMap(({ types }) =>
      types.flatMap((type) =>
        rest.filter(({ block }) => block.type.group === type.group && block.type.plural === type.plural),
      ),
    );
  const ordered = blocksIn(groups);
  const usual = blocksIn(groups.filter(({ title }) => title !== OTHER_KINDS));
  const custom = Map.groupBy(
    usual.filter(({ block }) => block.type.custom),
    ({ block }) => block.type.group,
  );
  return {
    cards,
    cells: usual.filter(({ block }) => !block.type.custom),
    others: ordered.filter((block) => !usual.includes(block)),
    custom: [...custom].map(([title, each]) => ({ title, blocks: each })),
  };
}

/** Namespaces of Kubernetes and kind. */
const SYSTEM_NAMESPACE = /^(kube-.*|local-path-storage)$/;

/** Whether the cluster has only the Deployments and StatefulSets with which kind creates it. */
export function hasOnlySystemWorkloads(overview: Overview): boolean {
  return (['k8s_deployments', 'k8s_statefulsets'] as const).every((name) => {
    const block = overview[name];
    return (
      block?.error === null &&
      block.total === block.rows.length &&
      block.rows.every(({ namespace }) => SYSTEM_NAMESPACE.test(namespace ?? ''))
    );
  });
}

/** The overview after a message, which contains the changed blocks. */
export function applyOverview(overview: Overview | undefined, message: ServerMessage): Overview | undefined {
  if (message.type !== 'overview' || overview === undefined) return overview;
  if (message.cluster !== overview.cluster || message.runtime !== overview.runtime) return overview;
  return { ...overview, ...message.blocks, summary: message.summary };
}
