import type { TransformFnParams } from 'class-transformer';

/**
 * Reads a whole number from a query string. Leaves anything else unchanged for the validator to reject:
 * `Number('')` and `Number(['5'])` would pass silently.
 */
export function queryInteger({ value }: TransformFnParams): unknown {
  return typeof value === 'string' && /^-?\d{1,15}$/.test(value) ? Number(value) : value;
}
