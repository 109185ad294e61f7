import { STATUS_CODES } from 'node:http';
import { CHALLENGE, type DomainError, errorBody, errorCodes } from '../../core/errors/index.js';
import { currentRequestId } from '../../core/logging/index.js';

/** An error as the text of an HTTP response, for a connection without a response object. */
export function rawResponse(refusal: DomainError): string {
  const { status } = errorCodes[refusal.code];
  const body = JSON.stringify(errorBody(refusal));
  return [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Cache-Control: no-store',
    'Cross-Origin-Opener-Policy: same-origin',
    'X-Content-Type-Options: nosniff',
    `X-Request-Id: ${currentRequestId() ?? ''}`,
    ...(status === 401 ? [`WWW-Authenticate: ${CHALLENGE}`] : []),
    'Connection: close',
    '',
    body,
  ].join('\r\n');
}
