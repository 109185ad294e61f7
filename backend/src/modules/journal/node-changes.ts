import type { NodeContainer } from '../../drivers/runtime/index.js';

/** The compared fields of a node. */
export interface SeenNode {
  cluster: string;
  name: string;
  /** Id of its container. */
  id: string;
  state: 'running' | 'paused' | 'stopped';
}

type Change = 'created' | 'deleted' | 'recreated' | 'started' | 'stopped' | 'paused' | 'resumed';

const byNumber = new Intl.Collator('en', { numeric: true });

export function seenNode({ cluster, name, id, state }: NodeContainer): SeenNode {
  return { cluster, name, id, state: state === 'running' || state === 'paused' ? state : 'stopped' };
}

/** @returns by cluster, what differs, as one sentence. */
export function changesBetween(
  before: readonly SeenNode[],
  after: readonly SeenNode[],
): ReadonlyMap<string, string> {
  const clusters = new Map<string, string>();
  for (const cluster of new Set([...before, ...after].map((node) => node.cluster))) {
    const nodesIn = (nodes: readonly SeenNode[]): Map<string, SeenNode> =>
      new Map(nodes.filter((node) => node.cluster === cluster).map((node) => [node.name, node]));
    const sentence = sentenceOf(nodesIn(before), nodesIn(after));
    if (sentence !== undefined) clusters.set(cluster, sentence);
  }
  return clusters;
}

function sentenceOf(
  before: ReadonlyMap<string, SeenNode>,
  after: ReadonlyMap<string, SeenNode>,
): string | undefined {
  const names = [...new Set([...before.keys(), ...after.keys()])].sort(byNumber.compare);
  const changes = new Map<Change, string[]>();
  for (const name of names) {
    const change = changeOf(before.get(name), after.get(name));
    if (change) changes.set(change, [...(changes.get(change) ?? []), name]);
  }
  const [first] = changes;
  if (!first) return undefined;
  const [change, changed] = first;
  if (changed.length === names.length) {
    const verb = change.charAt(0).toUpperCase() + change.slice(1);
    return `${verb} while Slipway was not running: ${changed.join(', ')}.`;
  }
  const parts = [...changes].map(([each, nodes]) => `${each} ${nodes.join(', ')}`);
  return `Changed while Slipway was not running: ${parts.join('; ')}.`;
}

function changeOf(before: SeenNode | undefined, after: SeenNode | undefined): Change | undefined {
  if (!after) return 'deleted';
  if (!before) return 'created';
  if (before.id !== after.id) return 'recreated';
  if (before.state === after.state) return undefined;
  if (after.state === 'running') return before.state === 'paused' ? 'resumed' : 'started';
  return after.state;
}
