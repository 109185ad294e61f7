import { badRequest } from './status.js';
import type { ApiObject, KubeEvent, LabelSelector, Pod } from './shapes.js';

export type Test = (object: ApiObject) => boolean;

const SET_REQUIREMENT = /^\s*([^\s,()!=]+)\s+(in|notin)\s*\(([^)]*)\)\s*$/;
const EQUALITY = /^\s*([^\s,()!=]+)\s*(==|=|!=)\s*([^\s,()!=]*)\s*$/;
const PRESENCE = /^\s*(!?)\s*([^\s,()!=]+)\s*$/;

/** `app=web,tier in (a,b),!canary`. @throws ApiFailure 400 */
export function labelTest(selector: string): Test {
  // A comma inside parentheses parts values, not requirements.
  const tests = selector.split(/,(?![^(]*\))/).map(labelRequirement);
  return ({ metadata: { labels = {} } }) => tests.every((test) => test(labels));
}

function labelRequirement(text: string): (labels: Record<string, string>) => boolean {
  const [, key = '', operator, values = ''] = SET_REQUIREMENT.exec(text) ?? [];
  if (operator !== undefined) {
    const wanted = values.split(',').map((value) => value.trim());
    return (labels) => wanted.includes(labels[key] ?? '\0') === (operator === 'in');
  }
  const equality = EQUALITY.exec(text);
  if (equality) {
    const [, label = '', sign, value = ''] = equality;
    return (labels) => (labels[label] === value) === (sign !== '!=');
  }
  const presence = PRESENCE.exec(text);
  if (!presence) {
    const found = /[!=]+\s*([!=()])/.exec(text)?.[1] ?? text.trim();
    throw badRequest(`unable to parse requirement: found '${found}', expected: identifier`);
  }
  const [, not = '', label = ''] = presence;
  return (labels) => label in labels === (not === '');
}

/** Fields that can be selected by, beside name and namespace, as the API server has them. */
const FIELDS: Readonly<Record<string, Readonly<Record<string, (object: ApiObject) => string | undefined>>>> =
  {
    pods: {
      'spec.nodeName': (pod) => (pod as Pod).spec?.nodeName,
      'spec.restartPolicy': (pod) => (pod as Pod).spec?.restartPolicy,
      'spec.schedulerName': (pod) => (pod as Pod).spec?.schedulerName,
      'status.phase': (pod) => (pod as Pod).status?.phase,
      'status.podIP': (pod) => (pod as Pod).status?.podIP,
    },
    events: {
      'involvedObject.kind': (event) => (event as KubeEvent).involvedObject?.kind,
      'involvedObject.namespace': (event) => (event as KubeEvent).involvedObject?.namespace,
      'involvedObject.name': (event) => (event as KubeEvent).involvedObject?.name,
      'involvedObject.uid': (event) => (event as KubeEvent).involvedObject?.uid,
      'involvedObject.apiVersion': (event) => (event as KubeEvent).involvedObject?.apiVersion,
      'involvedObject.fieldPath': (event) => (event as KubeEvent).involvedObject?.fieldPath,
      reason: (event) => (event as KubeEvent).reason,
      reportingComponent: (event) => (event as KubeEvent).reportingComponent,
      source: (event) => (event as KubeEvent).source?.component,
      type: (event) => (event as KubeEvent).type,
    },
    secrets: { type: (secret) => (secret as ApiObject & { type?: string }).type },
    namespaces: { 'status.phase': (namespace) => (namespace as Pod).status?.phase },
    nodes: {
      'spec.unschedulable': (node) =>
        String((node as ApiObject & { spec?: { unschedulable?: boolean } }).spec?.unschedulable ?? false),
    },
  };

/** `metadata.name=web,status.phase!=Failed`. @throws ApiFailure 400 */
export function fieldTest(plural: string, selector: string): Test {
  const tests = selector.split(',').map((text): Test => {
    const [, field = '', sign, value = ''] = /^(.+?)(!=|==|=)(.*)$/.exec(text) ?? [];
    if (sign === undefined) {
      throw badRequest(`invalid selector: '${text}'; can't understand '${text}'`);
    }
    const read = fieldOf(plural, field);
    return (object) => ((read(object) ?? '') === value) === (sign !== '!=');
  });
  return (object) => tests.every((test) => test(object));
}

function fieldOf(plural: string, field: string): (object: ApiObject) => string | undefined {
  if (field === 'metadata.name') return ({ metadata }) => metadata.name;
  if (field === 'metadata.namespace') return ({ metadata }) => metadata.namespace;
  const read = FIELDS[plural]?.[field];
  if (!read) throw badRequest(`field label not supported: ${field}`);
  return read;
}

/** Whether a selector of a workload, a service or a budget means these labels; an absent one means none. */
export function selects(
  selector: LabelSelector | undefined,
  labels: Readonly<Record<string, string>> = {},
): boolean {
  if (!selector) return false;
  const { matchLabels = {}, matchExpressions = [] } = selector;
  return (
    Object.entries(matchLabels).every(([key, value]) => labels[key] === value) &&
    matchExpressions.every(({ key, operator, values = [] }) => {
      const value = labels[key];
      if (operator === 'Exists') return value !== undefined;
      if (operator === 'DoesNotExist') return value === undefined;
      return values.includes(value ?? '\0') === (operator === 'In');
    })
  );
}

/** As kubectl prints a selector. */
export function selectorText(selector: LabelSelector | undefined): string {
  const { matchLabels = {}, matchExpressions = [] } = selector ?? {};
  const words = [
    ...Object.entries(matchLabels).map(([key, value]) => `${key}=${value}`),
    ...matchExpressions.map(({ key, operator, values = [] }) =>
      operator === 'Exists'
        ? key
        : operator === 'DoesNotExist'
          ? `!${key}`
          : `${key} ${operator.toLowerCase()} (${values.toSorted().join(',')})`,
    ),
  ];
  return words.length === 0 ? '<none>' : words.toSorted().join(',');
}
