import type { ServerResponse } from 'node:http';
import type { Response } from 'express';

/**
 * Calls `done` once, when the response is complete or its client is gone. Node emits no `close` for a client that left
 * earlier, such as while a guard was waiting, and for a response that waits behind another one of its connection.
 */
export function whenClosed(response: ServerResponse, done: () => void): void {
  const { socket } = response.req;
  if (response.closed || socket.destroyed) {
    done();
    return;
  }
  const close = (): void => {
    response.off('close', close);
    socket.off('close', close);
    done();
  };
  response.once('close', close);
  socket.once('close', close);
}

/** A signal that aborts when the client disconnects before the response is complete. */
export function abortOnDisconnect(response: Response): AbortSignal {
  const controller = new AbortController();
  whenClosed(response, () => {
    if (!response.writableFinished) controller.abort();
  });
  return controller.signal;
}
