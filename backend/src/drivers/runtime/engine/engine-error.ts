import { ExternalError, reasonOf } from '../../../core/errors/index.js';
import { plainLine, redact } from '../../../core/logging/index.js';

/** An error response of an engine. */
class EngineError extends ExternalError {
  readonly statusCode: number | undefined;
  readonly reason: string;

  constructor(engine: string, address: string, cause: unknown) {
    const reason = engineMessage(cause);
    super('engine_failed', `${engine} at ${address} reports an error: ${reason}`, { cause });
    this.statusCode = statusOf(cause);
    this.reason = reason;
  }
}

/** An error response as an EngineError, and any other error itself. */
export function asEngineError(engine: string, address: string, error: unknown): unknown {
  return statusOf(error) === undefined ? error : new EngineError(engine, address, error);
}

/** Whether an engine responded that an object does not exist. */
export function isGone(error: unknown): boolean {
  return statusOf(error) === 404;
}

/** The result of a call; undefined if the object does not exist. */
export async function unlessGone<TResult>(call: Promise<TResult>): Promise<TResult | undefined> {
  try {
    return await call;
  } catch (error) {
    if (isGone(error)) return undefined;
    throw error;
  }
}

/** Whether an engine responded that an object is in use or being changed. */
export function isConflict(error: unknown): boolean {
  return statusOf(error) === 409;
}

/** Whether a call failed because a container was removed in the meantime. */
export function isVanishing(error: unknown): boolean {
  return (
    statusOf(error) === 500 &&
    /no such container|container \S{1,300} has (already )?been removed/i.test(reasonOf(error))
  );
}

function statusOf(error: unknown): number | undefined {
  return (error as { statusCode?: number }).statusCode;
}

/** The message of an engine, without the additions of dockerode and without a final period. */
export function engineMessage(error: unknown): string {
  if (error instanceof EngineError) return error.reason;
  const { json } = error as { json?: { message?: unknown } | null };
  const message =
    typeof json?.message === 'string'
      ? json.message
      : reasonOf(error).replace(/^\(HTTP code \d+\) [a-z ]{1,40} - /, '');
  return redact(plainLine(message.trim())).replace(/\.$/, '');
}
