import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { Injectable } from '@nestjs/common';
import { Secrets } from '../../core/secrets/index.js';
import { readOwnCookie } from '../../core/security/index.js';

/** Longest that a browser is recognized after its last sign-in. Browsers keep no cookie for much longer. */
export const KNOWN_FOR_MS = 365 * 24 * 3600_000;

const VALUE = /^([\w-]{24})\.([\w-]{43})$/;

/**
 * Recognizes browsers in which someone has signed in before, by a signed cookie. It opens nothing: it has a count of wrong
 * passwords of its own, so that others behind the same address cannot lock its user out. A new password ends it.
 */
@Injectable()
export class KnownBrowsers {
  constructor(private readonly secrets: Secrets) {}

  /** Id of the browser that sends a request; undefined where it is not known. */
  idOf(request: IncomingMessage): string | undefined {
    const [, id, signature] = VALUE.exec(readOwnCookie(request, 'browser') ?? '') ?? [];
    if (id === undefined || signature === undefined) return undefined;
    return timingSafeEqual(Buffer.from(signature), Buffer.from(this.sign(id))) ? id : undefined;
  }

  /** The cookie's value for the browser that sends a request: the same again, or a new one. */
  valueFor(request: IncomingMessage): string {
    const id = this.idOf(request) ?? randomBytes(18).toString('base64url');
    return `${id}.${this.sign(id)}`;
  }

  private sign(id: string): string {
    const { signingKey, generation } = this.secrets;
    return createHmac('sha256', signingKey)
      .update(['browser', generation, id].join('\0'))
      .digest('base64url');
  }
}
