import type { ErrorCode } from '../errors/error-codes.js';

export interface WorkRequest {
  name: string;
  args: readonly unknown[];
}

/** The result, the domain error that the function threw, or why it failed. */
export type WorkResponse =
  | { value: unknown }
  | { error: { code: ErrorCode; message: string; details: unknown } }
  | { failure: string };
