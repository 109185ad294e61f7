/** A regex, of JavaScript and of RE2, that matches a text as it is. */
export function escapeRegex(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}

/** Longest part of a field's value that is written in a line as it is; the rest may be escaped. */
export function longestWord(value: string): string {
  return longest(value.match(/[\w.-]+/g) ?? []);
}

export function longest(texts: readonly string[]): string {
  return texts.reduce((most, text) => (text.length > most.length ? text : most), '');
}
