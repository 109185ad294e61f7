import { recordOf } from '../../core/values/index.js';
import { quantityOf } from '../../drivers/kubernetes/index.js';
import { changeContainer, templateContainer, titleOf, type Fix, type Situation } from './fix.js';

const UNITS: readonly (readonly [string, number])[] = [
  ['Gi', 2 ** 30],
  ['G', 1e9],
  ['Mi', 2 ** 20],
  ['M', 1e6],
  ['Ki', 2 ** 10],
  ['k', 1e3],
];

/** Doubles the memory limit of a container that exceeded it, unless the template has another one already. */
export function raiseMemoryLimit({ cause: { container }, facts, workload }: Situation): Fix[] {
  const limit = facts.containers.find(({ name }) => name === container)?.limits['memory'];
  if (!workload || container === undefined || limit === undefined) return [];
  const template = templateContainer(workload, container);
  const { memory = limit } = amountsOf(template, 'limits');
  if (!template || memory !== limit) return [];
  return [
    {
      code: 'raise_memory_limit',
      label: 'Raise memory limit',
      changes: `resources.limits.memory of container ${container} in ${titleOf(workload)}`,
      parameters: [
        {
          ...{ name: 'memory', label: `Memory limit (currently ${limit})`, choices: [], secret: false },
          default: memoryText(quantityOf(limit) * 2),
          check: amountProblem,
        },
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

/** Bytes as a quantity of Kubernetes, in the largest unit that needs no fraction. */
export function memoryText(bytes: number): string {
  const [unit, factor] = UNITS.find(([, each]) => bytes % each === 0) ?? ['', 1];
  return `${Math.ceil(bytes / factor)}${unit}`;
}

function amountProblem(value: string): string | undefined {
  return quantityOf(value) > 0 ? undefined : 'must be an amount, such as 128Mi';
}

function amountsOf(
  container: Record<string, unknown> | undefined,
  of: 'limits' | 'requests',
): Record<string, unknown> {
  return recordOf(recordOf(container?.['resources'])[of]);
}

function setAmount(
  container: Record<string, unknown>,
  of: 'limits' | 'requests',
  resource: string,
  amount: string,
): void {
  container['resources'] = {
    ...recordOf(container['resources']),
    [of]: { ...amountsOf(container, of), [resource]: amount },
  };
}
