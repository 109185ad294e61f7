import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { hasBody, isArchive } from '../../core/security/index.js';

/** Time for the last answer to leave, and for the client to close its side. */
const LAST_ANSWER_MS = 500;

export const CONNECTION_LIMITS = {
  /** Most connections at once: a browser opens six per page, and a program some more. */
  connections: 1000,
  headersMs: 10_000,
  /** How often connections are checked for the time of their headers. */
  checkMs: 2000,
  /** Longest time for a body. Archives may be as large as the disk: they may go on, but not pause for twice as long. */
  bodyMs: 12_000,
  /**
   * How long a connection without a request stays open. With Node's own five seconds a client that asks now and then,
   * or a proxy, which holds its connections for a minute, now and then sends into one that is just being closed.
   */
  idleMs: 65_000,
  /** How long a client may read nothing of a response that waits for it. A paused download resumes within this time. */
  unreadMs: 300_000,
};

/**
 * Of a request's first line and its headers together. An address may name 20,000 characters of sources, and a text of
 * 2,000 beside them that has nine characters for each where it is Chinese; Node's own 16 kB would be less.
 */
const MOST_HEADER_BYTES = 64 * 1024;

/** Bounds what clients can hold open: connections, headers, bodies and idle time. */
export function limitConnections(server: Server, limits = CONNECTION_LIMITS): void {
  server.maxConnections = limits.connections;
  server.keepAliveTimeout = limits.idleMs;
  server.headersTimeout = limits.headersMs;
  // Node's limit counts uploads as well.
  server.requestTimeout = 0;
  // What `createServer` takes as options, which Nest does not hand on: read for each connection, and when it listens.
  Object.assign(server, { maxHeaderSize: MOST_HEADER_BYTES, connectionsCheckingInterval: limits.checkMs });
  server.prependListener('request', (request: IncomingMessage, response: ServerResponse) => {
    const { socket } = request;
    // A response that has nothing to send yet may be one that follows a log.
    response.setTimeout(limits.unreadMs, () => {
      if (socket.writableLength > 0) socket.destroy();
    });
    if (!hasBody(request)) return;
    const isUpload = isArchive(request);
    let before = socket.bytesRead;
    let silent = 0;
    const check = setInterval(() => {
      // What was sent and is not read yet waits for the disk, and not for the client.
      const progress = socket.bytesRead !== before || request.readableLength > 0;
      before = socket.bytesRead;
      silent = progress ? 0 : silent + 1;
      if (isUpload && silent < 2) return;
      const late = Object.assign(new Error('the body is late'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });
      server.emit('clientError', late, socket);
    }, limits.bodyMs);
    const stop = (): void => {
      clearInterval(check);
      socket.off('close', stop);
    };
    request.once('end', stop);
    // Not with the response: Node waits for the rest of a body also where the answer went out before.
    socket.once('close', stop);
  });
}

/** Sends the last answer on a connection and destroys it: a client that never closes its side would keep it for ever. */
export function endWith(socket: Duplex, answer: string): void {
  const destroy = (): void => void socket.destroy();
  const timer = setTimeout(destroy, LAST_ANSWER_MS);
  socket.once('close', () => clearTimeout(timer));
  socket.once('end', destroy);
  // Unread data would make the system reset the connection, and the answer would be lost.
  socket.resume();
  socket.end(answer);
}
