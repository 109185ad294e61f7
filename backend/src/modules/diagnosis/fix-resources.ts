import { labels, record } from '../../core/parsing/index.js';
import { recordOf } from '../../core/values/index.js';
import {
  PODS,
  type Container as PodContainer,
  quantityOf,
  specOf,
  statusOf,
  type KubernetesObject,
  type ResourceApi,
} from '../../drivers/kubernetes/index.js';
import {
  changeContainer,
  changePodSpec,
  containersIn,
  parameter,
  podSpecOf,
  templateContainer,
  titleOf,
  type Fix,
  type Situation,
} from './fix.js';
import { schedulingMessage } from './findings.js';

const UNITS: readonly (readonly [string, number])[] = [
  ['Gi', 2 ** 30],
  ['G', 1e9],
  ['Mi', 2 ** 20],
  ['M', 1e6],
  ['Ki', 2 ** 10],
  ['k', 1e3],
];
const NODES = { group: '', version: 'v1', plural: 'nodes' };
/** A request that still does not fit then is halved no further. */
const MAX_STEPS = 20;

type Resource = 'cpu' | 'memory';
type Container = Record<string, unknown>;

/** Doubles the memory limit of a container that exceeded it, unless the template has another one already. */
export function raiseMemoryLimit({ cause: { container }, facts, workload }: Situation): Fix[] {
  const limit = facts.containers.find(({ name }) => name === container)?.limits['memory'];
  if (!workload || container === undefined || limit === undefined) return [];
  const template = templateContainer(workload, container);
  const { memory = limit } = amountsOf(template, 'limits');
  if (!template || memory !== limit) return [];
  const raised = memoryText(quantityOf(limit) * 2);
  return [
    {
      code: 'raise_memory_limit',
      label: 'Raise memory limit',
      changes: `resources.limits.memory of container ${container} in ${titleOf(workload)}`,
      parameters: [
        parameter('memory', `Memory limit (currently ${limit})`, raised, { check: amountProblem }),
      ],
      plan: ({ memory: wanted = '' }) => ({
        do: 'replace',
        object: workload,
        change: changeContainer(container, (stored) => {
          setAmount(stored, 'limits', 'memory', wanted);
        }),
        done: `Set the memory limit of container ${container} to ${wanted}.`,
      }),
    },
  ];
}

/** Halves the requests that no node can fulfill until the Pod fits a node. */
export async function lowerRequest({ facts, workload, api }: Situation): Promise<Fix[]> {
  if (!workload) return [];
  const message = schedulingMessage(facts.object);
  const lacking = (['cpu', 'memory'] as const).filter((each) => message.includes(`Insufficient ${each}`));
  const { containers = [] } = specOf({ spec: podSpecOf(workload) });
  const largest = lacking.flatMap((resource) => {
    const [first] = containers
      .map(({ name, resources }) => ({ name, resource, amount: resources?.requests?.[resource] ?? '0' }))
      .sort((one, other) => quantityOf(other.amount) - quantityOf(one.amount));
    return first && quantityOf(first.amount) > 0 ? [first] : [];
  });
  if (largest.length === 0) return [];
  const free = await largestFree(api);
  return [
    {
      code: 'lower_request',
      label: 'Lower request',
      changes: `resources.requests of ${largest.map(({ name }) => `container ${name}`).join(' and ')} in ${titleOf(workload)}`,
      parameters: largest.map(({ name, resource, amount }) => {
        const total = containers.reduce((sum, each) => sum + requestOf(each, resource), 0);
        const proposed = halved(quantityOf(amount), free[resource] - (total - quantityOf(amount)));
        const label = `${resource === 'cpu' ? 'CPU' : 'Memory'} request of ${name} (currently ${amount})`;
        return parameter(resource, label, textOf(resource, proposed), { check: amountProblem });
      }),
      plan: (values) => ({
        do: 'replace',
        object: workload,
        change: changePodSpec((spec) => {
          for (const { name, resource } of largest) {
            const container = containersIn(spec).find((each) => each['name'] === name);
            if (container) setAmount(container, 'requests', resource, values[resource] ?? '');
          }
        }),
        done: `Set ${largest.map(({ name, resource }) => `the ${resource === 'cpu' ? 'CPU' : resource} request of container ${name} to ${values[resource]}`).join(', ')}.`,
      }),
    },
  ];
}

const allocatable = record({ allocatable: labels });

function requestOf({ resources }: PodContainer, of: Resource): number {
  return quantityOf(resources?.requests?.[of] ?? '0') || 0;
}

/** The most that the Pods of one node leave free, for each resource. */
async function largestFree(api: ResourceApi): Promise<Record<Resource, number>> {
  const [nodes, pods] = await Promise.all([api.list(NODES), api.list(PODS)]);
  const used = (node: KubernetesObject, resource: Resource): number =>
    pods
      .filter((pod) => specOf(pod).nodeName === node.metadata.name && !hasEnded(pod))
      .flatMap((pod) => specOf(pod).containers ?? [])
      .reduce((sum, container) => sum + requestOf(container, resource), 0);
  const free = (resource: Resource): number =>
    Math.max(
      0,
      ...nodes.map(
        (node) =>
          quantityOf(allocatable(node['status'])?.allocatable?.[resource] ?? '0') - used(node, resource),
      ),
    );
  return { cpu: free('cpu'), memory: free('memory') };
}

function hasEnded(pod: KubernetesObject): boolean {
  return ['Succeeded', 'Failed'].includes(statusOf(pod).phase ?? '');
}

/** Half of an amount, or less until it is within `free`. */
export function halved(amount: number, free: number): number {
  let found = amount / 2;
  for (let index = 1; index < MAX_STEPS && free > 0 && found > free; index += 1) found /= 2;
  return found;
}

function textOf(resource: Resource, amount: number): string {
  if (resource === 'memory') return memoryText(amount >= 2 ** 20 ? amount - (amount % 2 ** 20) : amount);
  return cpuText(Math.max(1, Math.floor(amount * 1000)));
}

export function cpuText(milli: number): string {
  return milli % 1000 === 0 ? String(milli / 1000) : `${milli}m`;
}

/** Bytes as a quantity of Kubernetes, in the largest unit that needs no fraction. */
export function memoryText(bytes: number): string {
  const [unit, factor] = UNITS.find(([, each]) => bytes % each === 0) ?? ['', 1];
  return `${Math.ceil(bytes / factor)}${unit}`;
}

export function amountProblem(value: string): string | undefined {
  return quantityOf(value) > 0 ? undefined : 'must be an amount, such as 128Mi';
}

function amountsOf(container: Container | undefined, of: 'limits' | 'requests'): Record<string, unknown> {
  return recordOf(recordOf(container?.['resources'])[of]);
}

function setAmount(
  container: Container,
  of: 'limits' | 'requests',
  resource: Resource,
  amount: string,
): void {
  container['resources'] = {
    ...recordOf(container['resources']),
    [of]: { ...amountsOf(container, of), [resource]: amount },
  };
}
