import { isUtf8 } from 'node:buffer';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { raw, type NextFunction, type Request, type RequestHandler, type Response } from 'express';
import { DomainError } from '../errors/index.js';
import { mediaType, unsupportedType, YAML_TYPES } from '../security/index.js';

/** Lets a route accept YAML instead of a JSON object with one field that holds the text. */
export const AcceptsYaml = Reflector.createDecorator<string>();

/** Puts a YAML body into the field of the route. @throws DomainError `unsupported_media_type` if it has none */
export function acceptYaml(context: ExecutionContext): void {
  const request = context.switchToHttp().getRequest<Request>();
  const type = mediaType(request);
  if (!YAML_TYPES.some((known) => known === type)) return;
  const field = Reflect.getMetadata(AcceptsYaml.KEY, context.getHandler()) as string | undefined;
  if (field === undefined) throw unsupportedType(type);
  request.body = { [field]: request.body as unknown };
}

/** Reads a YAML body as text. */
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
