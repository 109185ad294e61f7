import type { ErrorCode } from '../errors/error-codes.js';

/** A function of a thread that is called, and with what. */
export interface WorkRequest {
  name: string;
  args: readonly unknown[];
}

/** What it returned, the domain error that it threw, or why it failed. */
export type WorkResponse =
  | { value: unknown }
  | { error: { code: ErrorCode; message: string; details: unknown } }
  | { failure: string };
