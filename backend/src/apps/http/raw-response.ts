import { STATUS_CODES } from 'node:http';
import { CHALLENGE, type DomainError, errorBody, errorCodes } from '../../core/errors/index.js';
import { currentRequestId } from '../../core/logging/index.js';

/** A refusal in the one shape of errors, as the text of an answer: where there is a connection, and no response. */
export function rawResponse(refusal: DomainError): string {
  const { status } = errorCodes[refusal.code];
  const body = JSON.stringify(errorBody(refusal));
  return [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Cache-Control: no-store',
    'X-Content-Type-Options: nosniff',
    `X-Request-Id: ${currentRequestId() ?? ''}`,
    ...(status === 401 ? [`WWW-Authenticate: ${CHALLENGE}`] : []),
    'Connection: close',
    '',
    body,
  ].join('\r\n');
}
