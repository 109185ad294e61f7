import type { Response } from 'express';

/** A signal that aborts when the client disconnects before the response is complete. */
export function abortOnDisconnect(response: Response): AbortSignal {
  const controller = new AbortController();
  response.once('close', () => {
    if (!response.writableFinished) controller.abort();
  });
  return controller.signal;
}
