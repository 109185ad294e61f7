import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { hostCount, OneTimeTokens } from '../../core/security/index.js';

const PARAMETER = 'slipway_key';
/** Lifetime of a link, which the page opens immediately. */
const LINK_MS = 60_000;
const MAX_LINKS = 100;

/** A response from Slipway instead of the Pod. */
export interface OwnResponse {
  status: number;
  text: string;
  headers?: Readonly<Record<string, string>>;
}

/**
 * Decides which requests a port-forward passes to its Pod: those with its exact Host (DNS rebinding sends a foreign one),
 * from its own pages or by a link, and with its cookie. A browser gets the cookie through a one-time link.
 */
export class ForwardGate {
  readonly origin: string;
  private readonly host: string;
  private readonly cookieName: string;
  private readonly cookie = randomText();
  private readonly keys = new OneTimeTokens(LINK_MS, MAX_LINKS);

  constructor(port: number) {
    this.host = `127.0.0.1:${port}`;
    this.origin = `http://${this.host}`;
    // Cookies ignore ports.
    this.cookieName = `slipway_forward_${port}`;
  }

  issueLink(): string {
    const key = randomText();
    this.keys.add(key);
    return `${this.origin}/?${PARAMETER}=${key}`;
  }

  /** @returns null for a request that goes to the Pod, otherwise its response. */
  check(request: IncomingMessage): OwnResponse | null {
    if (!this.hasOwnHost(request)) {
      return forbidden(`This URL does not belong to the port-forward. Use ${this.origin}.`);
    }
    if (!this.hasOwnSource(request)) {
      return forbidden('The request comes from a web page of another site.');
    }
    const isAdmitted = this.hasCookie(request);
    // A key never reaches the Pod, wherever it is in the URL.
    if (request.url?.includes(`${PARAMETER}=`) === true) return this.exchange(request, isAdmitted);
    return isAdmitted ? null : forbidden('This browser has not opened the port-forward through Slipway.');
  }

  private exchange(request: IncomingMessage, isAdmitted: boolean): OwnResponse {
    const [start, key = ''] = (request.url ?? '').split('=');
    const isNew = request.method === 'GET' && start === `/?${PARAMETER}` && this.keys.take(key);
    if (!isNew && !isAdmitted) return forbidden('The link was already used, or has expired.');
    return {
      status: 303,
      text: 'The port-forward is open.',
      headers: {
        Location: '/',
        // Not Strict: after the redirect from Slipway's page, which is another site, browsers would not send it.
        ...(isNew && { 'Set-Cookie': `${this.cookieName}=${this.cookie}; Path=/; HttpOnly; SameSite=Lax` }),
      },
    };
  }

  private hasOwnHost(request: IncomingMessage): boolean {
    // An absolute URL in the request line would replace the Host header.
    const isPath = request.url?.startsWith('/') === true;
    return isPath && hostCount(request) === 1 && request.headers.host === this.host;
  }

  /** For browsers, other ports of this machine are the same site. Pages there may only link here. */
  private hasOwnSource({ headers, method }: IncomingMessage): boolean {
    const {
      origin,
      'sec-fetch-site': site = 'none',
      'sec-fetch-mode': mode,
      'sec-fetch-dest': target,
    } = headers;
    const isLink = method === 'GET' && mode === 'navigate' && target === 'document';
    if (site !== 'none' && site !== 'same-origin' && !isLink) return false;
    // Forms on a page with the policy `no-referrer` send null.
    return origin === undefined || origin === this.origin || (origin === 'null' && site === 'same-origin');
  }

  /** Accepts any of several cookies with the name, since a page on another port can add one that hides the right one. */
  private hasCookie({ headers }: IncomingMessage): boolean {
    const wanted = hashOf(`${this.cookieName}=${this.cookie}`);
    return (headers.cookie ?? '').split(';').some((pair) => timingSafeEqual(hashOf(pair.trim()), wanted));
  }
}

function forbidden(what: string): OwnResponse {
  return {
    status: 403,
    text: `${what}\nTo open the page, use its link in Slipway.`,
  };
}

function randomText(): string {
  return randomBytes(32).toString('base64url');
}

/** Hashes texts to the same length, for a comparison in constant time. */
function hashOf(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
