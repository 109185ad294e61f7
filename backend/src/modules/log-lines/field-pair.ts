import type { FieldValue } from '../../core/lines/index.js';

/** A field and its whole value, as requests write them: `name:value`. A name may have colons: any may end it. */
export const FIELD_PAIR = /:/;

export function readField(pair: string): FieldValue {
  const colon = pair.indexOf(':');
  return { name: pair.slice(0, colon), value: pair.slice(colon + 1) };
}
