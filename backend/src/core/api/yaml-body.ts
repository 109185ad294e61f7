import { isUtf8 } from 'node:buffer';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { raw, type NextFunction, type Request, type RequestHandler, type Response } from 'express';
import { DomainError } from '../errors/index.js';
import { YAML_TYPES } from '../security/index.js';

export function isYaml(type: string | undefined): boolean {
  return YAML_TYPES.some((known) => known === type);
}

/** Reads a YAML body as text. Routes declare with `AcceptsYaml` which JSON field it replaces. */
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
 * Rejects bytes that are not valid UTF-8. Lenient decoding would save a text that differs from the one sent. The
 * signature is that of body-parser's `verify`.
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
      'The body is not valid UTF-8. Save it as UTF-8, and send it again.',
    );
  }
}

function charsetOf(request: Request): string {
  return /;\s*charset\s*=\s*"?([^";\s]+)/i.exec(request.headers['content-type'] ?? '')?.[1] ?? 'utf-8';
}
