import type { Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { DomainError, errorCodes } from '../../core/errors/index.js';
import { runInRequest, type AppLogger } from '../../core/logging/index.js';
import { rawResponse } from './raw-response.js';
import { endWith } from './connection-limits.js';

/** Responds to requests that Node's HTTP parser rejects, in the format of all errors. */
export function handleMalformedRequests(server: Server, logger: AppLogger): void {
  const log = logger.child({ context: 'http' });
  // Node would respond with an empty body; HostOriginGuard reports the missing header.
  Object.assign(server, { requireHostHeader: false });
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => {
    // Do not write into the middle of another response.
    const { _httpMessage: current } = socket as Duplex & { _httpMessage?: ServerResponse };
    if (error.code === 'ECONNRESET' || !socket.writable || current?.headersSent === true) {
      socket.destroy();
      return;
    }
    runInRequest(() => {
      const refusal = explain(error.code);
      log.info(`malformed request ${errorCodes[refusal.code].status}`, { reason: error.code });
      endWith(socket, rawResponse(refusal));
    });
  });
}

/** https://nodejs.org/api/http.html#event-clienterror */
function explain(code: string | undefined): DomainError {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return new DomainError('headers_too_large', 'The headers of the request are longer than 64 kB.');
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new DomainError('request_timeout', 'The request did not arrive in time.');
    default:
      return new DomainError('malformed_request', 'The request is not valid HTTP/1.1.');
  }
}
