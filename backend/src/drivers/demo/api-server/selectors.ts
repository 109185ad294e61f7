import { textOf, valueAt } from './printing/cell-template.js';
import type { ApiObject } from './shapes.js';
import { badRequest } from './status.js';

export type Test = (object: ApiObject) => boolean;

const SET_REQUIREMENT = /^([^\s,()!=]+)\s+(in|notin)\s*\(([^)]*)\)$/;
const EQUALITY = /^([^\s,()!=]+)\s*(==|=|!=)\s*([^\s,()!=]*)$/;
const PRESENCE = /^(!?)\s*([^\s,()!=]+)$/;

/** `app=web,tier in (a,b),!canary`. @throws ApiFailure 400 */
export function labelTest(selector: string): Test {
  // Commas inside parentheses separate values, not requirements.
  const tests = selector.split(/,(?![^(]*\))/).map((text) => labelRequirement(text.trim()));
  return ({ metadata: { labels = {} } }) => tests.every((test) => test(labels));
}

function labelRequirement(text: string): (labels: Record<string, string>) => boolean {
  const [, key = '', operator, values = ''] = SET_REQUIREMENT.exec(text) ?? [];
  if (operator !== undefined) {
    const wanted = values.split(',').map((value) => value.trim());
    return (labels) => wanted.includes(labels[key] ?? '\0') === (operator === 'in');
  }
  const [, label = '', sign, value = ''] = EQUALITY.exec(text) ?? [];
  if (sign !== undefined) return (labels) => (labels[label] === value) === (sign !== '!=');
  const [, not = '', present] = PRESENCE.exec(text) ?? [];
  if (present === undefined) throw badRequest(`unable to parse requirement: ${text}`);
  return (labels) => present in labels === (not === '');
}

/** `metadata.name=web,status.phase!=Failed`. @throws ApiFailure 400 */
export function fieldTest(selector: string): Test {
  const tests = selector.split(',').map((text): Test => {
    const [, field = '', sign, value = ''] = /^([^!=\n]+)(!=|==|=)(.*)$/s.exec(text) ?? [];
    if (sign === undefined) throw badRequest(`invalid selector: '${text}'; can't understand '${text}'`);
    return (object) => (textOf(valueAt(object, `.${field}`)) === value) === (sign !== '!=');
  });
  return (object) => tests.every((test) => test(object));
}
