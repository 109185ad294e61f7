import type { WebSocket, WebSocketServer } from 'ws';

const HEARTBEAT_MS = 30_000;

/** Ends connections of a server whose other side vanished without a word: who leaves a ping unanswered until the next. */
export function dropDead(server: WebSocketServer): void {
  const silent = new WeakSet<WebSocket>();
  server.on('connection', (socket: WebSocket) => socket.on('pong', () => silent.delete(socket)));
  const heartbeat = setInterval(() => {
    for (const socket of server.clients) {
      if (silent.has(socket)) {
        socket.terminate();
        continue;
      }
      silent.add(socket);
      socket.ping();
    }
  }, HEARTBEAT_MS);
  heartbeat.unref();
  server.on('close', () => clearInterval(heartbeat));
}
