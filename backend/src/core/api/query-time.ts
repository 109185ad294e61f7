import type { TransformFnParams } from 'class-transformer';
import { isRFC3339 } from 'class-validator';

/** Converts an RFC 3339 time of a query to UTC with milliseconds, as times are stored. The validator rejects the rest. */
export function queryTime({ value }: TransformFnParams): unknown {
  if (!isRFC3339(value)) return value as unknown;
  const at = Date.parse(value as string);
  return Number.isNaN(at) ? undefined : new Date(at).toISOString();
}
