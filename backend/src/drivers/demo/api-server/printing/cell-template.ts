import type { ApiObject, KubeEvent, KubeNode, LabelSelector, Pod, Service, Workload } from '../shapes.js';
import { humanDuration, since } from './durations.js';
import { podReady, podRestarts, podStatus } from './pod-summary.js';

/** @returns the cell of an object at a time in milliseconds; clients print lists and objects as JSON. */
export type CellTemplate = (object: ApiObject, now: number) => unknown;

type Evaluate = (object: ApiObject, now: number) => unknown;
type Filter = (value: unknown, argument: string, now: number) => unknown;

/** `.spec.size`, `.status.conditions[?(@.type=="Ready")].status`, `.items[0]`, `.annotations['a/b']`. */
const STEP = /\.([\w-]+)|\[(\d+)\]|\['([^']+)'\]|\[\?\(@\.([\w-]+)\s*==\s*["']([^"']*)["']\)\]/g;
const ROLE_LABEL = 'node-role.kubernetes.io/';
const MAX_LISTED = 3;
const FILTERS: Readonly<Record<string, Filter>> = {
  age: (value, _argument, now) => (typeof value === 'string' ? since(value, now) : undefined),
  or: (value, fallback) => (isEmpty(value) ? literal(fallback) : value),
  text: textOf,
  lower: (value) => textOf(value).toLowerCase(),
  size: (value) => Object.keys(value ?? {}).length,
  list: (value, path) =>
    itemsOf(value)
      .map((item) => valueAt(item, path))
      .join(','),
  some: (value) => {
    const texts = textOf(value).split(',');
    const shown = texts.slice(0, MAX_LISTED).join(',');
    return texts.length > MAX_LISTED ? `${shown} + ${texts.length - MAX_LISTED} more...` : shown;
  },
  of: (value, kind) =>
    itemsOf(value)
      .filter((subject) => valueAt(subject, '.kind') === kind)
      .map((subject) => valueAt(subject, '.name'))
      .join(', '),
  selector: (value) => selectorText(value as LabelSelector | undefined),
  labels: (value) => selectorText({ matchLabels: value as Record<string, string> | undefined }),
};

const FUNCTIONS: Readonly<Record<string, Evaluate>> = {
  podReady: (object) => podReady(object),
  podStatus: (object) => podStatus(object),
  podRestarts: (object, now) => podRestarts(object, now),
  phase: ({ metadata, status }: Pod) =>
    metadata.deletionTimestamp === undefined ? status?.phase : 'Terminating',
  nodeStatus: ({ spec, status }: KubeNode) => {
    const condition = status?.conditions?.find(({ type }) => type === 'Ready');
    const ready = condition?.status === 'True' ? 'Ready' : 'NotReady';
    return spec?.unschedulable === true ? `${ready},SchedulingDisabled` : ready;
  },
  nodeRoles: ({ metadata: { labels = {} } }) =>
    Object.keys(labels)
      .filter((label) => label.startsWith(ROLE_LABEL))
      .map((label) => label.slice(ROLE_LABEL.length))
      .join(',') || '<none>',
  lastSeen: ({ firstTimestamp, lastTimestamp, count = 1 }: KubeEvent, now) => {
    const first = since(firstTimestamp, now);
    const last = lastTimestamp ? since(lastTimestamp, now) : first;
    return count > 1 ? `${last} (x${count} over ${first})` : last;
  },
  serviceAddress: ({ spec, status }: Service) => {
    if (spec?.type === 'ExternalName') return spec.externalName;
    const addresses = [
      ...(status?.loadBalancer?.ingress ?? []).map(({ ip }) => ip),
      ...(spec?.externalIPs ?? []),
    ];
    return addresses.join(',') || (spec?.type === 'LoadBalancer' ? '<pending>' : '<none>');
  },
  servicePorts: ({ spec }: Service) =>
    (spec?.ports ?? [])
      .map(({ port, nodePort, protocol = 'TCP' }) =>
        nodePort === undefined ? `${port}/${protocol}` : `${port}:${nodePort}/${protocol}`,
      )
      .join(',') || '<none>',
  jobStatus: ({ metadata, status }: Workload) =>
    ['Complete', 'Failed', 'Suspended'].find((wanted) =>
      status?.conditions?.some(({ type, status: value }) => type === wanted && value === 'True'),
    ) ?? (metadata.deletionTimestamp === undefined ? 'Running' : 'Terminating'),
  jobDuration: ({ status }: Workload, now) => {
    if (status?.startTime === undefined) return '';
    const end = status.completionTime === undefined ? now : Date.parse(status.completionTime);
    return humanDuration(end - Date.parse(status.startTime));
  },
};

/** Compiles `{.spec.replicas|or 0}`, `{podStatus}` or a text with several of them. */
export function cellTemplate(template: string): CellTemplate {
  const parts = template.split(/(\{[^{}]+\})/).filter((part) => part !== '');
  const compiled = parts.map((part) => (part.startsWith('{') ? placeholder(part.slice(1, -1)) : () => part));
  const [only] = compiled;
  // A cell with one placeholder keeps its type: clients sort numbers as numbers.
  if (only && compiled.length === 1) return (object, now) => only(object, now) ?? '';
  return (object, now) => compiled.map((evaluate) => textOf(evaluate(object, now))).join('');
}

function placeholder(text: string): Evaluate {
  const [source = '', ...filters] = text.split('|');
  const read = FUNCTIONS[source] ?? ((object: ApiObject) => valueAt(object, source));
  const steps = filters.map((filter) => {
    const [, name = '', argument = ''] = /^(\w+) ?(.*)$/s.exec(filter) ?? [];
    const apply = FILTERS[name];
    if (!apply) throw new Error(`tables.json uses the unknown filter ${name}`);
    return (value: unknown, now: number) => apply(value, argument, now);
  });
  return (object, now) => steps.reduce((value, step) => step(value, now), read(object, now));
}

/** The subset of JSONPath that CRDs use for their columns. */
export function valueAt(object: unknown, path: string): unknown {
  let value: unknown = object;
  for (const [, field, index, quoted, key, wanted] of path.matchAll(STEP)) {
    if (typeof value !== 'object' || value === null) return undefined;
    if (key !== undefined) {
      value = itemsOf(value).find((item) => (item as Record<string, unknown>)[key] === wanted);
    } else value = (value as Record<string, unknown>)[field ?? quoted ?? index ?? ''];
  }
  return value;
}

function itemsOf(value: unknown): unknown[] {
  return Array.isArray(value) ? (value as unknown[]) : [];
}

export function textOf(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || value === '';
}

function literal(text: string): string | number | boolean {
  if (/^\d+$/.test(text)) return Number(text);
  return text === 'false' ? false : text;
}

/** A selector as kubectl prints it. */
function selectorText(selector: LabelSelector | undefined): string {
  const { matchLabels = {}, matchExpressions = [] } = selector ?? {};
  const requirements = [
    ...Object.entries(matchLabels).map(([key, value]) => `${key}=${value}`),
    ...matchExpressions.map(
      ({ key, operator, values = [] }) => `${key} ${operator.toLowerCase()} (${values.join(',')})`,
    ),
  ];
  return requirements.toSorted().join(',') || '<none>';
}
