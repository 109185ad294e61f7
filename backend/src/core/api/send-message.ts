import type { WebSocket } from 'ws';

/** More than this waiting for one client means that it does not read. */
export const MAX_BUFFERED = 1_000_000;

/** Answers a message. Whoever asks on and on and does not read would fill the memory with answers. */
export function sendMessage(socket: WebSocket, message: object): void {
  if (socket.bufferedAmount > MAX_BUFFERED) {
    socket.terminate();
    return;
  }
  socket.send(JSON.stringify(message));
}
