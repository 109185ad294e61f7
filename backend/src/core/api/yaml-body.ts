import { isUtf8 } from 'node:buffer';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { raw, type NextFunction, type Request, type RequestHandler, type Response } from 'express';
import { DomainError } from '../errors/index.js';
import { YAML_TYPES } from '../security/index.js';

export function isYaml(type: string | undefined): boolean {
  return YAML_TYPES.some((known) => known === type);
}

/** Reads a body that is YAML, as text. A route that takes it says which field of its JSON that stands for. */
export function yamlBody(limit: string): RequestHandler[] {
  return [
    raw({ type: [...YAML_TYPES], limit }),
    (request: Request, _response: Response, next: NextFunction) => {
      if (Buffer.isBuffer(request.body)) {
        requireUtf8(request, undefined, request.body, charsetOf(request));
        request.body = request.body.toString('utf8');
      }
      next();
    },
  ];
}

/**
 * Refuses bytes that are not the text that they are announced as: decoded loosely, they would be saved as
 * something that nobody sent. The form is that of body-parser's `verify`.
 */
export function requireUtf8(
  _request: IncomingMessage,
  _response: ServerResponse | undefined,
  bytes: Buffer,
  charset: string,
): void {
  if (!/^(utf-?8|us-ascii)$/i.test(charset)) {
    throw new DomainError(
      'unsupported_media_type',
      `Send the body as UTF-8, not as ${charset.slice(0, 40).replace(/[^\w.-]/g, '?')}.`,
    );
  }
  if (!isUtf8(bytes)) {
    throw new DomainError(
      'malformed_body',
      'The body is not UTF-8 text. Save it as UTF-8, and send it again.',
    );
  }
}

function charsetOf(request: Request): string {
  return /;\s*charset\s*=\s*"?([^";\s]+)/i.exec(request.headers['content-type'] ?? '')?.[1] ?? 'utf-8';
}
