import { openCondition, printQuery, type OpenCondition } from '../../../../backend/src/core/search/index.js';

/** A condition of a typed query that can be completed. */
export interface Completable extends OpenCondition {
  /** Conditions before it, which narrow what is offered; empty where they are alternatives. */
  before: string;
  /** The text behind the caret. */
  rest: string;
}

/** @param caret a position in the text; only the end of a condition can be completed */
export function completableAt(text: string, caret: number): Completable | null {
  const rest = text.slice(caret);
  const open = /^[^\s)]/.test(rest) ? null : openCondition(text.slice(0, caret));
  if (!open) return null;
  const before = text.slice(0, open.begin).replace(/[-(]$/, '');
  return { ...open, before: /\(|\bOR\b/.test(before) ? '' : before.trim(), rest };
}

/** The text with a completed name, or a completed value and a blank; `caret` is behind it. */
export function completed(
  text: string,
  { begin, compared, rest }: Completable,
  value: string,
): { text: string; caret: number } {
  const printed = compared
    ? `${printQuery({ type: 'compare', ...compared, pattern: [value] })}${rest === '' ? ' ' : ''}`
    : printQuery({ type: 'compare', name: value, operator: ':', pattern: ['x'] }).slice(0, -1);
  const until = text.slice(0, begin) + printed;
  return { text: until + rest, caret: until.length };
}
