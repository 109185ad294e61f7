import type { WebSocket, WebSocketServer } from 'ws';

const HEARTBEAT_MS = 30_000;

/** Closes WebSockets whose client does not respond to a ping until the next one. */
export function closeDeadSockets(server: WebSocketServer): void {
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
