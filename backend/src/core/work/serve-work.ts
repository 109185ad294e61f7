import { Script } from 'node:vm';
import { DomainError } from '../errors/domain-error.js';
import { reasonOf } from '../errors/reason-of.js';
import type { WorkRequest, WorkResponse } from './work-messages.js';

/** `vm` is what can interrupt a function, and needs a script that calls it by a global name. */
const script = new Script('workOfThisCall()');
let isServing = false;

/** Whether this process serves functions, and may spend their time on large input. */
export function isWorkProcess(): boolean {
  return isServing;
}

export type Work = (...args: never[]) => unknown;

/** The process's side of `WorkProcess`: serves functions by name. Arguments and results must be plain data. */
export function serveWork<TNames extends string>(functions: Readonly<Record<TNames, Work>>): void {
  isServing = true;
  process.on('message', (request: WorkRequest) => {
    const work = functions[request.name as TNames] as Work | undefined;
    const response = work
      ? respond(work, request)
      : { failure: `this process has no function ${request.name}` };
    process.send?.(response);
  });
}

/** The deadline is kept here and not by the caller: a call ends even if Slipway was killed meanwhile. */
function respond(work: Work, request: WorkRequest): WorkResponse {
  const { args, milliseconds: timeout } = request;
  try {
    Object.assign(globalThis, { workOfThisCall: () => work(...(args as never[])) });
    return { value: script.runInThisContext({ timeout }) };
  } catch (error) {
    if (error instanceof DomainError) {
      const { code, message, details } = error;
      return { error: { code, message, details } };
    }
    const isLate = (error as NodeJS.ErrnoException | null)?.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT';
    return isLate ? { timedOut: true } : { failure: reasonOf(error) };
  }
}
