import type { FieldValue } from '../lines/index.js';

/** A regex, of JavaScript and of RE2, that matches a text as it is. */
export function escapeRegex(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}

/**
 * Longest part of a field that is written in its line as it is; the rest may be escaped. Before the last colon of the
 * value may be names, whose dots may stand for nesting.
 */
export function longestFieldWord({ value }: FieldValue): string {
  const last = value.lastIndexOf(':') + 1;
  const names = value.slice(0, last).match(/[\w-]+/g) ?? [];
  return longest([...names, ...(value.slice(last).match(/[\w.-]+/g) ?? [])]);
}

export function longest(texts: readonly string[]): string {
  return texts.reduce((most, text) => (text.length > most.length ? text : most), '');
}
