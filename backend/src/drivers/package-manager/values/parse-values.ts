import { DomainError } from '../../../core/errors/domain-error.js';
import { isRecord } from '../../../core/values/index.js';
import { isNode, LineCounter, parseYaml, toValue, type Document } from '../../../core/yaml/index.js';

export type Values = Record<string, unknown>;

/** Parses values like helm. An empty text has no values. @throws DomainError `values_refused` with the line. */
export function parseValues(text: string): Values {
  const lines = new LineCounter();
  const document = parseYaml(text, { version: '1.1', lines });
  const [error] = document.errors;
  if (error) {
    const { line, col } = lines.linePos(error.pos[0]);
    const problem =
      error.code === 'MULTIPLE_DOCS' ? 'values must be a single document, without ---' : error.message;
    throw valuesRefused(`Line ${line} of the values is invalid: ${problem}.`, [
      { line, column: col, path: '', problem },
    ]);
  }
  const value = toValue(document);
  if (value === null || value === undefined) return {};
  if (!isRecord(value)) {
    throw valuesRefused('Values must be a mapping, such as "replicas: 2".', [
      { line: 1, column: 1, path: '', problem: 'must be a mapping' },
    ]);
  }
  return value;
}

/** A problem and its position, for an editor. */
export interface ValuesProblem {
  line: number | null;
  column: number | null;
  path: string;
  problem: string;
}

export function valuesRefused(message: string, problems: ValuesProblem[]): DomainError {
  return new DomainError('values_refused', message, problems);
}

/** Returns a function that finds the position of a field in valid values. */
export function lineOf(
  text: string,
): (path: readonly (string | number)[]) => Pick<ValuesProblem, 'line' | 'column'> | null {
  const lines = new LineCounter();
  let document: Document.Parsed | undefined;
  return (path) => {
    document ??= parseYaml(text, { version: '1.1', lines });
    const node = document.getIn(path, true);
    if (!isNode(node) || !node.range) return null;
    const { line, col } = lines.linePos(node.range[0]);
    return { line, column: col };
  };
}

/** Merges values into defaults like helm: mappings by key, and null removes a key. */
export function overlay(defaults: Values, given: Values): Values {
  const merged = new Map(Object.entries(defaults));
  for (const [key, value] of Object.entries(given)) {
    const before = merged.get(key);
    if (value === null) merged.delete(key);
    else merged.set(key, isRecord(value) && isRecord(before) ? overlay(before, value) : value);
  }
  return Object.fromEntries(merged);
}
