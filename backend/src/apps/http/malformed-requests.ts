import type { Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { DomainError, errorCodes } from '../../core/errors/index.js';
import { runInRequest, type AppLogger } from '../../core/logging/index.js';
import { rawResponse } from './raw-response.js';
import { endWith } from './connection-limits.js';

/**
 * Answers what HTTP's parser refuses, before there is a request that a handler could answer, in the one shape
 * of errors too.
 */
export function handleMalformedRequests(server: Server, logger: AppLogger): void {
  const log = logger.child({ context: 'http' });
  // Node would answer a request without Host itself, with nothing in it. The gate says more.
  Object.assign(server, { requireHostHeader: false });
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => {
    // An answer that is under way on this connection must not get another one into its middle.
    const { _httpMessage: current } = socket as Duplex & { _httpMessage?: ServerResponse };
    if (error.code === 'ECONNRESET' || !socket.writable || current?.headersSent === true) {
      socket.destroy();
      return;
    }
    runInRequest(() => {
      const refusal = explain(error.code);
      log.info(`a request that cannot be read ${errorCodes[refusal.code].status}`, { reason: error.code });
      endWith(socket, rawResponse(refusal));
    });
  });
}

/** https://nodejs.org/api/http.html#event-clienterror */
function explain(code: string | undefined): DomainError {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return new DomainError('headers_too_large', 'The headers of the request are longer than 64 kB in all.');
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new DomainError('request_timeout', 'The request did not arrive in time.');
    default:
      return new DomainError('malformed_request', 'What was sent is not a request of HTTP/1.1.');
  }
}
