export { readAgo, readTime, timeText } from './time-text.js';

/** Whether a parsed value is an object with fields. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value, or an empty object if it has no fields. */
export function recordOf(value: unknown): Record<string, unknown> {
  return isRecord(value) ? value : {};
}

/** The own value of a key that others chose: a plain lookup of `__proto__` or `toString` finds what every object has. */
export function ownValue<TValue>(table: Readonly<Record<string, TValue>>, key: string): TValue | undefined {
  return Object.hasOwn(table, key) ? table[key] : undefined;
}

/** `1 node`, `3 nodes`. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** The items of a list in a text, without spaces around them and empty ones. */
export function itemsOf(text: string, separator = ','): string[] {
  const items = text.split(separator).map((item) => item.trim());
  return items.filter((item) => item !== '');
}

/** `nodes[0].image` */
export function pathText(path: readonly (string | number)[]): string {
  const parts = path.map((part) => (typeof part === 'number' ? `[${part}]` : `.${part}`));
  return parts.join('').replace(/^\./, '');
}

/** The path of a JSON pointer, as Ajv names places: `/nodes/0/image`. */
export function pointerPath(pointer: string): (string | number)[] {
  return pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .map((part) => (/^\d+$/.test(part) ? Number(part) : part));
}

/** Truncates a long text, and marks that. */
export function shortened(text: string, maxLength: number): string {
  return text.length > maxLength ? `${text.slice(0, maxLength - 3)}...` : text;
}

export function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
