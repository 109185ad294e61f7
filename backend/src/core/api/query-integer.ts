import type { TransformFnParams } from 'class-transformer';

/**
 * Reads a whole number from a query string. Anything else stays as it came, for the validator to refuse:
 * `Number('')` and `Number(['5'])` would quietly pass.
 */
export function queryInteger({ value }: TransformFnParams): unknown {
  return typeof value === 'string' && /^-?\d{1,15}$/.test(value) ? Number(value) : value;
}
