import type { TransformFnParams } from 'class-transformer';

/** Reads true or false from a query string. Anything else stays as it came, for the validator to refuse. */
export function queryFlag({ value }: TransformFnParams): unknown {
  return value === 'true' ? true : value === 'false' ? false : value;
}
