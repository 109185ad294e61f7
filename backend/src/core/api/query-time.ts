import type { TransformFnParams } from 'class-transformer';
import { isRFC3339 } from 'class-validator';

/** An RFC 3339 time of a query in UTC with milliseconds, as times are stored; anything else is left for the validator. */
export function queryTime({ value }: TransformFnParams): unknown {
  if (!isRFC3339(value)) return value as unknown;
  const at = Date.parse(value as string);
  return Number.isNaN(at) ? undefined : new Date(at).toISOString();
}
