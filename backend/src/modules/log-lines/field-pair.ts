import type { FieldValue } from '../../drivers/log-store/index.js';

/** A field and its whole value, as requests write them: `name:value`. The name ends at the first colon. */
export const FIELD_PAIR = /^[^:]{1,200}:/;

export function readField(pair: string): FieldValue {
  const colon = pair.indexOf(':');
  return { name: pair.slice(0, colon), value: pair.slice(colon + 1) };
}
