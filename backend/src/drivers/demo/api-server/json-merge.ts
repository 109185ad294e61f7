import { isRecord } from '../../../core/values/index.js';

/** A JSON object. */
export type Fields = Record<string, unknown>;

/** JSON merge patch, RFC 7386. */
export function mergePatch(target: unknown, patch: unknown): unknown {
  if (!isRecord(patch)) return patch;
  const merged: Fields = isRecord(target) ? { ...target } : {};
  for (const [field, value] of Object.entries(patch)) {
    if (value === null) Reflect.deleteProperty(merged, field);
    else if (value !== undefined) merged[field] = mergePatch(merged[field], value);
  }
  return merged;
}

/** JSON with sorted keys: equal for equal values. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, content: unknown) =>
    isRecord(content)
      ? Object.fromEntries(Object.entries(content).sort(([one], [two]) => (one < two ? -1 : 1)))
      : content,
  );
}
