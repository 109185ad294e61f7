import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { hasBody, isArchive } from '../../core/security/index.js';

/** Time to send the last response, and for the client to close its side. */
const LINGER_MS = 500;

export const CONNECTION_LIMITS = {
  /** Maximum number of connections. A browser opens six per page. */
  connections: 1000,
  headersMs: 10_000,
  /** Interval of the check for `headersMs`. */
  checkMs: 2000,
  /** Maximum time for a body. Uploads of archives may take longer, but must not pause for twice as long. */
  bodyMs: 12_000,
  /**
   * How long an idle connection stays open. Proxies keep theirs for a minute: with Node's default of 5 s they sometimes
   * send a request on a connection that the server is closing.
   */
  idleMs: 65_000,
  /** How long a client may pause reading a response. */
  unreadMs: 300_000,
};

/**
 * Maximum size of the request line and the headers. A URL may contain 20,000 characters of sources and a search text of
 * 2,000, each up to nine characters when encoded. Node's default is 16 kB.
 */
const MAX_HEADER_BYTES = 64 * 1024;

/** Limits the connections, headers, bodies and idle time of clients. */
export function limitConnections(server: Server, limits = CONNECTION_LIMITS): void {
  server.maxConnections = limits.connections;
  server.keepAliveTimeout = limits.idleMs;
  server.headersTimeout = limits.headersMs;
  // Node's limit would apply to uploads too.
  server.requestTimeout = 0;
  // Options of `createServer`, which Nest does not pass on. Node reads them on each connection and on `listen`.
  Object.assign(server, { maxHeaderSize: MAX_HEADER_BYTES, connectionsCheckingInterval: limits.checkMs });
  server.prependListener('request', (request: IncomingMessage, response: ServerResponse) => {
    const { socket } = request;
    // Without pending data, the response may be following a log.
    response.setTimeout(limits.unreadMs, () => {
      if (socket.writableLength > 0) socket.destroy();
    });
    if (!hasBody(request)) return;
    const isUpload = isArchive(request);
    let before = socket.bytesRead;
    let silent = 0;
    const check = setInterval(() => {
      // Unread data means that the disk is slow, not the client.
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
    // Not on the end of the response, since Node still waits for the rest of the body then.
    socket.once('close', stop);
  });
}

/** Sends a last response on a connection and destroys it, also if the client does not close its side. */
export function endWith(socket: Duplex, response: string): void {
  const destroy = (): void => void socket.destroy();
  const timer = setTimeout(destroy, LINGER_MS);
  socket.once('close', () => clearTimeout(timer));
  socket.once('end', destroy);
  // With unread data, the system would reset the connection and the response would be lost.
  socket.resume();
  socket.end(response);
}
