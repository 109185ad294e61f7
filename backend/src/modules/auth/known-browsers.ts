import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { Injectable } from '@nestjs/common';
import { Secrets } from '../../core/secrets/index.js';
import { readOwnCookie } from '../../core/security/index.js';

/** Browsers limit the lifetime of cookies to about 400 days. */
export const KNOWN_BROWSER_MS = 365 * 24 * 3600_000;

const VALUE = /^([\w-]{24})\.([\w-]{43})$/;

/**
 * Recognizes by a signed cookie the browsers that have signed in before. The cookie grants no access. It only gives the
 * browser its own count of failed sign-ins, so that others behind the same address cannot lock its user out. A new
 * password invalidates it.
 */
@Injectable()
export class KnownBrowsers {
  constructor(private readonly secrets: Secrets) {}

  idOf(request: IncomingMessage): string | undefined {
    const [, id, signature] = VALUE.exec(readOwnCookie(request, 'browser') ?? '') ?? [];
    if (id === undefined || signature === undefined) return undefined;
    return timingSafeEqual(Buffer.from(signature), Buffer.from(this.sign(id))) ? id : undefined;
  }

  /** Cookie value for the browser: its own, or a new one. */
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
