import type { WebSocket, WebSocketServer } from 'ws';
import { closeSocket } from '../../core/api/index.js';
import { jsonValue } from '../../core/parsing/index.js';
import { recordOf } from '../../core/values/index.js';

/** Far more than a page sends: a message for each subscription that it starts or ends. */
const MAX_MESSAGES = 300;
const WINDOW_MS = 10_000;
/** https://www.rfc-editor.org/rfc/rfc6455#section-7.4.1 */
const POLICY_VIOLATION = 1008;

/**
 * Closes sockets that send more than 300 messages in 10 s, since each may open a watch or read lines from disk. `ack`
 * messages do not count: a page sends several per second for each busy source.
 * @param takesBytes whether binary messages are bytes of a stream, which has its own flow control
 */
export function limitMessages(server: WebSocketServer, takesBytes: boolean): void {
  server.on('connection', (socket: WebSocket) => {
    let count = 0;
    let windowEnd = 0;
    socket.on('message', (data: Buffer, isBinary: boolean) => {
      if (isBinary && takesBytes) return;
      if (recordOf(jsonValue(data.toString()))['type'] === 'ack') return;
      const now = performance.now();
      if (now > windowEnd) [count, windowEnd] = [0, now + WINDOW_MS];
      count += 1;
      if (count !== MAX_MESSAGES + 1) return;
      closeSocket(socket, POLICY_VIOLATION, 'too many messages');
      // Messages would be handled until the client answers.
      socket.pause();
    });
  });
}
