type Requirement =
  | { kind: 'exists' | 'absent'; key: string }
  | { kind: 'in' | 'not-in'; key: string; values: readonly string[] };

export type LabelSelector = readonly Requirement[];

const KEY = String.raw`(?:[A-Za-z0-9](?:[-A-Za-z0-9.]{0,251}[A-Za-z0-9])?/)?[A-Za-z0-9](?:[-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?`;
const VALUE = String.raw`(?:[A-Za-z0-9](?:[-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?)?`;
/* eslint-disable no-restricted-syntax -- The parts are constants. */
const EQUALITY = new RegExp(`^(${KEY})\\s*(==|=|!=)\\s*(${VALUE})$`);
const SET = new RegExp(`^(${KEY})\\s+(in|notin)\\s*\\(([^()]*)\\)$`);
const EXISTENCE = new RegExp(`^(!?)\\s*(${KEY})$`);
const WHOLE_VALUE = new RegExp(`^${VALUE}$`);
/* eslint-enable no-restricted-syntax */

/**
 * Reads a label selector as kubectl takes it: `app=web,tier!=cache,env in (dev,test),!legacy`.
 *
 * @returns undefined if the text is not a selector
 */
export function readSelector(text: string): LabelSelector | undefined {
  if (text.trim() === '') return [];
  const requirements: Requirement[] = [];
  // Commas in parentheses separate values.
  for (const part of text.split(/,(?![^(]*\))/)) {
    const requirement = readRequirement(part.trim());
    if (!requirement) return undefined;
    requirements.push(requirement);
  }
  return requirements;
}

/** Matches like the API server: `!=` and `notin` also match objects without the label. */
export function matchesSelector(labels: Readonly<Record<string, string>>, selector: LabelSelector): boolean {
  return selector.every((requirement) => {
    const value = Object.hasOwn(labels, requirement.key) ? labels[requirement.key] : undefined;
    switch (requirement.kind) {
      case 'exists':
        return value !== undefined;
      case 'absent':
        return value === undefined;
      case 'in':
        return value !== undefined && requirement.values.includes(value);
      case 'not-in':
        return value === undefined || !requirement.values.includes(value);
    }
  });
}

function readRequirement(part: string): Requirement | undefined {
  const equality = EQUALITY.exec(part);
  if (equality) {
    const [, key = '', sign, value = ''] = equality;
    return { kind: sign === '!=' ? 'not-in' : 'in', key, values: [value] };
  }
  const set = SET.exec(part);
  if (set) {
    const [, key = '', sign, list = ''] = set;
    const values = list.split(',').map((value) => value.trim());
    if (!values.every((value) => WHOLE_VALUE.test(value))) return undefined;
    return { kind: sign === 'in' ? 'in' : 'not-in', key, values };
  }
  const existence = EXISTENCE.exec(part);
  if (!existence) return undefined;
  const [, not, key = ''] = existence;
  return { kind: not ? 'absent' : 'exists', key };
}
