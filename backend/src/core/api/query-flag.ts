import type { TransformFnParams } from 'class-transformer';

/** Reads true or false from a query string. Leaves anything else unchanged for the validator to reject. */
export function queryFlag({ value }: TransformFnParams): unknown {
  return value === 'true' ? true : value === 'false' ? false : value;
}
