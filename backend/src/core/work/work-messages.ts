import type { ErrorCode } from '../errors/error-codes.js';

export interface WorkRequest {
  name: string;
  args: readonly unknown[];
  /** Maximum time of the call. */
  milliseconds: number;
}

/** The value, the domain error that the function threw, or why it failed. */
export type WorkResult =
  | { value: unknown }
  | { error: { code: ErrorCode; message: string; details: unknown } }
  | { failure: string };

export type WorkResponse = WorkResult | { timedOut: true };
