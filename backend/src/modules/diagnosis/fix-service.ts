import { labels } from '../../core/parsing/index.js';
import { isRecord, recordOf } from '../../core/values/index.js';
import { specOf, templateOf, type KubernetesObject } from '../../drivers/kubernetes/index.js';
import { parameter, titleOf, type Fix, type Situation } from './fix.js';

const WORKLOADS = ['deployments', 'statefulsets', 'daemonsets'] as const;
const MAX_PORTS = 10;
/** Names that differ in more letters are others, not mistyped ones. */
const MAX_TYPING_ERRORS = 2;

type Labels = Readonly<Record<string, string>>;

/** Selects the Pods of a workload whose labels nearly match. */
export async function setSelector({ facts: { object, related }, api }: Situation): Promise<Fix[]> {
  const selector = labels(specOf(object).selector) ?? {};
  if (related.length > 0 || Object.keys(selector).length === 0) return [];
  const { namespace = '' } = object.metadata;
  const workloads = await Promise.all(
    WORKLOADS.map((plural) => api.list({ group: 'apps', version: 'v1', plural }, { namespace })),
  );
  const selectors = new Map(
    nearSelectors(selector, object.metadata.name, workloads.flat()).map((each) => [writtenAs(each), each]),
  );
  const choices = [...selectors.keys()];
  const [first] = choices;
  if (first === undefined) return [];
  return [
    {
      code: 'set_selector',
      label: 'Correct selector',
      changes: `spec.selector of ${titleOf(object)}`,
      parameters: [
        parameter('selector', `Selector (currently ${writtenAs(selector)})`, first, {
          ...{ choices, only_choices: true },
        }),
      ],
      plan: ({ selector: chosen = '' }) => ({
        do: 'replace',
        object,
        change: (stored) => ({
          ...stored,
          spec: { ...recordOf(stored['spec']), selector: selectors.get(chosen) ?? {} },
        }),
        done: `Set the selector to ${chosen}.`,
      }),
    },
  ];
}

/** Leads to a port that the selected Pods have. */
export function setTargetPort({ facts: { object, related } }: Situation): Fix[] {
  const { ports = [] } = specOf(object);
  const declared = related
    .flatMap((pod) => specOf(pod.object).containers ?? [])
    .flatMap(({ ports: of = [] }) => of)
    .map(({ name, containerPort }) => name ?? String(containerPort));
  const choices = [...new Set(declared)];
  const wrong = ports.filter(
    ({ targetPort }) => typeof targetPort === 'string' && !choices.includes(targetPort),
  );
  const [first] = choices;
  if (first === undefined || wrong.length === 0 || wrong.length > MAX_PORTS) return [];
  const parameterOf = (port: number): string => (wrong.length === 1 ? 'target_port' : `target_port_${port}`);
  return [
    {
      code: 'set_target_port',
      label: 'Correct port',
      changes: `targetPort of ${titleOf(object)}`,
      parameters: wrong.map(({ port, targetPort = '' }) => {
        const near = choices.find((each) => isNear(each, String(targetPort))) ?? first;
        return parameter(parameterOf(port), `Target of port ${port} (currently ${targetPort})`, near, {
          choices,
          check: (value) => (PORT.test(value) ? undefined : 'must be the number or name of a port'),
        });
      }),
      plan: (values) => ({
        do: 'replace',
        object,
        change: (stored) => withTargets(stored, (port) => values[parameterOf(port)]),
        done: `Set the target of ${wrong.map(({ port }) => `port ${port} to ${values[parameterOf(port)]}`).join(', ')}.`,
      }),
    },
  ];
}

/** A number or an IANA service name. */
const PORT = /^(?:[1-9]\d{0,4}|[a-z0-9-]{1,15})$/;

function withTargets(
  stored: KubernetesObject,
  targetOf: (port: number) => string | undefined,
): KubernetesObject {
  const spec = recordOf(stored['spec']);
  const ports = Array.isArray(spec['ports']) ? spec['ports'].filter(isRecord) : [];
  return {
    ...stored,
    spec: {
      ...spec,
      ports: ports.map((each) => {
        const target = targetOf(Number(each['port']));
        if (target === undefined) return each;
        return { ...each, targetPort: /^\d+$/.test(target) ? Number(target) : target };
      }),
    },
  };
}

/** Selectors of the workloads that a selector nearly matches, or that are named as the Service; the nearest first. */
export function nearSelectors(
  selector: Labels,
  service: string,
  workloads: readonly KubernetesObject[],
): Labels[] {
  return workloads
    .flatMap((workload) => {
      const template = templateOf(specOf(workload).template).metadata?.labels ?? {};
      const shared = Object.keys(selector).filter((key) => template[key] !== undefined);
      const near = shared.filter((key) => isNear(template[key] ?? '', selector[key] ?? ''));
      const same = shared.filter((key) => template[key] === selector[key]);
      const named = [service, ...Object.values(selector)].some((each) =>
        isNear(each, workload.metadata.name),
      );
      const score = 2 * same.length + near.length + (named ? 1 : 0);
      if (score === 0) return [];
      const own = labels(recordOf(specOf(workload).selector)['matchLabels']) ?? template;
      const kept = Object.fromEntries(shared.map((key) => [key, template[key] ?? '']));
      return [{ score, labels: shared.length > 0 ? kept : own }];
    })
    .sort((one, other) => other.score - one.score)
    .map((each) => each.labels);
}

function isNear(one: string, other: string): boolean {
  const [short = '', long = ''] = [one, other].sort((a, b) => a.length - b.length);
  return (
    (short.length > 2 && long.includes(short)) ||
    distance(one, other) <= Math.min(MAX_TYPING_ERRORS, short.length / 2)
  );
}

/** Letters to insert, delete or replace. */
function distance(one: string, other: string): number {
  let row = [...Array(other.length + 1).keys()];
  for (const [index, letter] of [...one].entries()) {
    let previous = index + 1;
    row = row.map((above, column) => {
      if (column === 0) return index + 1;
      const replaced = (row[column - 1] ?? 0) + (other[column - 1] === letter ? 0 : 1);
      previous = Math.min(above + 1, previous + 1, replaced);
      return previous;
    });
  }
  return row.at(-1) ?? 0;
}

function writtenAs(selector: Labels): string {
  return Object.entries(selector)
    .map((label) => label.join('='))
    .join(',');
}
