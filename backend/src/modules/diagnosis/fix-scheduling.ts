import { anything, labels, list, record, word } from '../../core/parsing/index.js';
import { recordOf } from '../../core/values/index.js';
import { PODS, type KubernetesObject, type ResourceApi } from '../../drivers/kubernetes/index.js';
import { schedulingMessage } from './findings.js';
import { changePodSpec, parameter, podSpecOf, titleOf, type Fix, type Situation } from './fix.js';

const NODES = { ...PODS, plural: 'nodes' };
const KEEPS_PODS_AWAY = ['NoSchedule', 'NoExecute'];

const podSpec = record({
  nodeSelector: labels,
  tolerations: list(record({ key: word, operator: word, value: word, effect: word })),
});
const nodeSpec = record({ taints: list(record({ value: word }, { key: word, effect: word })) });

type Taint = NonNullable<NonNullable<ReturnType<typeof nodeSpec>>['taints']>[number];
type Toleration = NonNullable<NonNullable<ReturnType<typeof podSpec>>['tolerations']>[number];

/** Removes the labels of the nodeSelector that no node has, or all, if each is on some node. */
export async function removeNodeSelector({ facts, workload, api }: Situation): Promise<Fix[]> {
  if (!workload || !schedulingMessage(facts.object).includes("didn't match Pod's node affinity")) return [];
  const selector = Object.entries(podSpec(podSpecOf(workload))?.nodeSelector ?? {});
  if (selector.length === 0) return [];
  const nodes = await nodesOf(api);
  const unknown = selector.filter(([key, value]) =>
    nodes.every(({ metadata }) => metadata.labels?.[key] !== value),
  );
  const removed = unknown.length > 0 ? unknown : selector;
  const text = removed.map((label) => label.join('=')).join(', ');
  return [
    {
      code: 'remove_node_selector',
      label: 'Remove node selector',
      changes: `nodeSelector ${text} of ${titleOf(workload)}`,
      parameters: [],
      plan: () => ({
        do: 'replace',
        object: workload,
        change: changePodSpec((spec) => {
          const kept = Object.entries(recordOf(spec['nodeSelector'])).filter(
            ([key]) => !removed.some(([each]) => each === key),
          );
          if (kept.length > 0) spec['nodeSelector'] = Object.fromEntries(kept);
          else delete spec['nodeSelector'];
        }),
        done: `Removed ${text} from its nodeSelector.`,
      }),
    },
  ];
}

/** Tolerates a taint of the nodes. That of control planes comes last: Pods are usually kept away from them. */
export async function addToleration({ facts, workload, api }: Situation): Promise<Fix[]> {
  if (!workload || !schedulingMessage(facts.object).includes('untolerated taint')) return [];
  const tolerations = podSpec(podSpecOf(workload))?.tolerations ?? [];
  const taints = new Map(
    (await nodesOf(api))
      .flatMap((node) => nodeSpec(node['spec'])?.taints ?? [])
      // Kubernetes sets and removes the others by the state of the node.
      .filter(({ key, effect }) => KEEPS_PODS_AWAY.includes(effect) && !key.startsWith('node.kubernetes.io/'))
      .filter((taint) => !tolerations.some((toleration) => tolerates(toleration, taint)))
      .map((taint) => [textOf(taint), taint] as const)
      .sort(([one], [other]) => Number(isControlPlane(one)) - Number(isControlPlane(other))),
  );
  const choices = [...taints.keys()];
  const [first] = choices;
  if (first === undefined) return [];
  return [
    {
      code: 'add_toleration',
      label: 'Add toleration',
      changes: `tolerations of ${titleOf(workload)}`,
      parameters: [parameter('taint', 'Taint to tolerate', first, { choices, only_choices: true })],
      plan: ({ taint: chosen = '' }) => {
        const { key, value, effect } = taints.get(chosen) ?? { key: '', effect: '' };
        const matches = value === undefined ? { operator: 'Exists' } : { operator: 'Equal', value };
        return {
          do: 'replace',
          object: workload,
          change: changePodSpec((spec) => {
            const known = list(anything)(spec['tolerations']) ?? [];
            spec['tolerations'] = [...known, { key, ...matches, effect }];
          }),
          done: `Added a toleration of ${chosen}.`,
        };
      },
    },
  ];
}

export function tolerates({ key, operator, value, effect }: Toleration, taint: Taint): boolean {
  if (effect !== undefined && effect !== taint.effect) return false;
  if (key === undefined) return operator === 'Exists';
  return key === taint.key && (operator === 'Exists' || (value ?? '') === (taint.value ?? ''));
}

function isControlPlane(taint: string): boolean {
  return taint.startsWith('node-role.kubernetes.io/');
}

/** As for `kubectl taint`. */
function textOf({ key, value, effect }: Taint): string {
  return `${key}${value === undefined ? '' : `=${value}`}:${effect}`;
}

async function nodesOf(api: ResourceApi): Promise<KubernetesObject[]> {
  return await api.list(NODES);
}
