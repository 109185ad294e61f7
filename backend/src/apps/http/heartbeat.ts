import type { WebSocket, WebSocketServer } from 'ws';

/** Half of the 60 s after which most proxies close a silent connection. */
export const HEARTBEAT_MS = 30_000;

/** Closes WebSockets whose client does not respond to a ping until the next one. */
export function closeDeadSockets(server: WebSocketServer, everyMs = HEARTBEAT_MS): void {
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
  }, everyMs);
  heartbeat.unref();
  server.on('close', () => clearInterval(heartbeat));
}
