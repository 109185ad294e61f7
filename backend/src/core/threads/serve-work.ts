import { parentPort } from 'node:worker_threads';
import { DomainError } from '../errors/domain-error.js';
import { reasonOf } from '../errors/reason-of.js';
import type { WorkRequest, WorkResponse } from './work-messages.js';

/**
 * The thread's side of `WorkThread`: says that it has loaded, then serves functions by name. Arguments and results must be
 * plain data.
 */
export function serveWork(functions: Readonly<Record<string, (...args: never[]) => unknown>>): void {
  const port = parentPort;
  port?.on('message', ({ name, args }: WorkRequest) => {
    const work = functions[name] as ((...args: readonly unknown[]) => unknown) | undefined;
    let response: WorkResponse;
    try {
      if (!work) throw new Error(`this thread has no function ${name}`);
      response = { value: work(...args) };
    } catch (error) {
      response = responseTo(error);
    }
    try {
      port.postMessage(response);
    } catch (error) {
      port.postMessage(responseTo(error));
    }
  });
  port?.postMessage(null);
}

function responseTo(error: unknown): WorkResponse {
  if (!(error instanceof DomainError)) return { failure: reasonOf(error) };
  const { code, message, details } = error;
  return { error: { code, message, details } };
}
