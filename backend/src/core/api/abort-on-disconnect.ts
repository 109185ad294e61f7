import type { Response } from 'express';

/** Is given when whoever asked goes away before the answer is whole. */
export function abortOnDisconnect(response: Response): AbortSignal {
  const controller = new AbortController();
  response.once('close', () => {
    if (!response.writableFinished) controller.abort();
  });
  return controller.signal;
}
