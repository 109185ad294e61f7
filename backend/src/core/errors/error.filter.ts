import { STATUS_CODES } from 'node:http';
import { Catch, HttpException, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { Response } from 'express';
import { AppLogger, currentRequestId, redact } from '../logging/index.js';
import { shortened } from '../values/index.js';
import { DomainError } from './domain-error.js';
import { errorCodes, type ErrorCode } from './error-codes.js';
import { ExternalError } from './external-error.js';
import { asSentence } from './reason-of.js';
import { storageFailure } from './storage-failure.js';

/** `WWW-Authenticate` of every 401 (RFC 9110, 15.5.2). Browsers open no dialog for `Bearer`. */
export const CHALLENGE = 'Bearer realm="Slipway"';

/** The format of every error response: Nest's own with additional fields. */
export interface ErrorBody {
  statusCode: number;
  error: string;
  message: string;
  code: ErrorCode;
  details: unknown;
  request_id: string;
}

interface Rendered {
  code: ErrorCode;
  message: string;
  details?: unknown;
}

/** Characters of a URL in an error or in the log of requests. */
export const MAX_URL = 300;

/** Turns every error into `ErrorBody`. Logs unexpected errors with their cause; the client gets only an id. */
@Catch()
export class ErrorFilter implements ExceptionFilter {
  constructor(private readonly logger: AppLogger) {}

  catch(thrown: unknown, host: ArgumentsHost): void {
    const response = host.switchToHttp().getResponse<Response>();
    this.render(thrown, response);
  }

  /** Middleware calls this, since Nest's filters do not apply there. */
  render(thrown: unknown, response: Response): void {
    const rendered = translate(thrown);
    const { status, severity } = errorCodes[rendered.code];
    if (severity === 'error') this.logger.failure('unexpected error', thrown);
    else if (severity === 'warn') this.logger.warning(rendered.message, { code: rendered.code });
    // A response that has started cannot become an error; closing the connection shows that it is incomplete.
    if (response.headersSent) {
      response.destroy();
      return;
    }
    // A download route may have set a file name before it failed.
    response.removeHeader('content-disposition');
    const { retry_after_seconds: wait } = (rendered.details ?? {}) as { retry_after_seconds?: unknown };
    if (typeof wait === 'number') response.setHeader('retry-after', String(wait));
    if (status === 401) response.setHeader('www-authenticate', CHALLENGE);
    if (rendered.code === 'insufficient_scope') {
      // RFC 6750, 3.1.
      response.setHeader('www-authenticate', `${CHALLENGE}, error="insufficient_scope"`);
    }
    response.status(status).type('application/json').json(errorBody(rendered));
  }
}

export function errorBody({ code, message, details }: Rendered): ErrorBody {
  const { status } = errorCodes[code];
  return {
    statusCode: status,
    error: STATUS_CODES[status] ?? 'Error',
    message: redact(message),
    code,
    details: details ?? null,
    request_id: currentRequestId() ?? '',
  };
}

function translate(thrown: unknown): Rendered {
  // Nest wraps a DomainError that is thrown while the body is read into an HttpException.
  const known = thrown instanceof HttpException ? thrown.cause : thrown;
  if (known instanceof DomainError) {
    return { code: known.code, message: known.message, details: known.details };
  }
  if (thrown instanceof HttpException) {
    const status = thrown.getStatus();
    // body-parser reports its own limit.
    return (status === 413 && bodyParserError(known)) || translateHttp(status, thrown.message);
  }
  if (known instanceof ExternalError) return { code: known.code, message: asSentence(known.message) };
  const unwritten = storageFailure(thrown);
  if (unwritten !== undefined) return { code: 'storage_unavailable', message: unwritten };
  const bodyError = bodyParserError(thrown);
  if (bodyError) return bodyError;
  return {
    code: 'internal',
    message: `Something went wrong inside Slipway. Its log has the details under the request id ${currentRequestId() ?? ''}.`,
  };
}

/** Errors that Nest and Express raise themselves. */
function translateHttp(status: number, message: string): Rendered {
  switch (status) {
    case 400:
      return {
        code: 'malformed_body',
        message: `Could not read the request: ${shortened(message, MAX_URL)}.`,
      };
    case 401:
      return { code: 'unauthorized', message: 'Unauthorized' };
    case 404:
      return { code: 'route_not_found', message: `This URL does not exist. ${shortened(message, MAX_URL)}.` };
    case 413:
      return { code: 'payload_too_large', message: tooLarge(256 * 1024) };
    case 415:
      return { code: 'unsupported_media_type', message };
    case 429:
      return { code: 'too_many_requests', message };
    default:
      return { code: 'internal', message: 'Something went wrong inside Slipway.' };
  }
}

/** Errors of body-parser and the router, which are plain errors with a `status` or a `type`. */
function bodyParserError(thrown: unknown): Rendered | undefined {
  if (!(thrown instanceof Error)) return undefined;
  if (thrown instanceof URIError) {
    return { code: 'invalid_input', message: 'The URL contains an invalid %-escape.' };
  }
  const { type, limit } = thrown as { type?: unknown; limit?: unknown };
  if (typeof type !== 'string') return undefined;
  switch (type) {
    case 'entity.too.large':
      return { code: 'payload_too_large', message: tooLarge(Number(limit)) };
    case 'entity.parse.failed':
      return { code: 'malformed_body', message: `The body is not valid JSON: ${thrown.message}.` };
    case 'encoding.unsupported':
    case 'charset.unsupported':
      return { code: 'unsupported_media_type', message: `Could not read the body: ${thrown.message}.` };
    case 'request.aborted':
    case 'request.size.invalid':
      return { code: 'malformed_body', message: 'The body is shorter than its Content-Length.' };
    default:
      return undefined;
  }
}

/** @param limit in bytes */
function tooLarge(limit: number): string {
  const kilobytes = limit / 1024;
  const size = kilobytes >= 1024 ? `${kilobytes / 1024} MB` : `${kilobytes} kB`;
  return `The request is too large: a body can have up to ${size} here.`;
}
