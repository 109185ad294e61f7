import type { WebSocket } from 'ws';

/** A client with more unsent bytes than this does not read. */
export const MAX_BUFFERED = 1_000_000;

/** Sends a message. Closes the connection of a client that does not read, since its messages would fill the memory. */
export function sendMessage(socket: WebSocket, message: object): void {
  if (socket.bufferedAmount > MAX_BUFFERED) {
    socket.terminate();
    return;
  }
  socket.send(JSON.stringify(message));
}
