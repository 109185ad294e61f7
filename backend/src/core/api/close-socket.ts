import type { WebSocket } from 'ws';

/** Time that a client has to answer. The `ws` package waits for 30 s. */
const ANSWER_MS = 500;

/** Closes a socket with a reason, then terminates it: a client that does not answer must not stay connected. */
export function closeSocket(socket: WebSocket, code: number, reason?: string): void {
  socket.close(code, reason);
  setTimeout(() => socket.terminate(), ANSWER_MS).unref();
}
