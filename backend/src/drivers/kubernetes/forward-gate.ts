import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { hostCount, OneTimeTokens } from '../../core/security/index.js';

const PARAMETER = 'slipway_key';
/** How long a link can be opened: the page opens it at once. */
const LINK_MS = 60_000;
const MOST_LINKS = 100;

/** A response of Slipway's own, in place of one from the Pod. */
export interface OwnResponse {
  status: number;
  text: string;
  headers?: Readonly<Record<string, string>>;
}

/**
 * Decides which requests a port-forward lets through to its Pod: those with its exact Host (DNS rebinding brings a
 * foreign one), from its own pages or by a link, and with its cookie. A browser gets the cookie through a one-time link.
 */
export class ForwardGate {
  readonly origin: string;
  private readonly host: string;
  private readonly cookieName: string;
  private readonly cookie = randomText();
  private readonly keys = new OneTimeTokens(LINK_MS, MOST_LINKS);

  constructor(port: number) {
    this.host = `127.0.0.1:${port}`;
    this.origin = `http://${this.host}`;
    // Cookies know no ports.
    this.cookieName = `slipway_forward_${port}`;
  }

  /** An address that admits one browser, once, within a minute. */
  issueLink(): string {
    const key = randomText();
    this.keys.add(key);
    return `${this.origin}/?${PARAMETER}=${key}`;
  }

  /** @returns the response to a request that does not go to the Pod; null for one that does. */
  check(request: IncomingMessage): OwnResponse | null {
    if (!this.hasOwnHost(request)) {
      return forbidden(
        `This address does not belong to the port-forward. It can be reached as ${this.origin} only.`,
      );
    }
    if (!this.hasOwnSource(request)) {
      return forbidden('The request comes from a web page of another site.');
    }
    const isAdmitted = this.hasCookie(request);
    // A key never reaches the Pod, wherever it is in the address.
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
        // Not Strict: a browser would not send it after the redirect, because the page of Slipway is another site.
        ...(isNew && { 'Set-Cookie': `${this.cookieName}=${this.cookie}; Path=/; HttpOnly; SameSite=Lax` }),
      },
    };
  }

  private hasOwnHost(request: IncomingMessage): boolean {
    // A whole URL in the request line would count instead of Host.
    const isPath = request.url?.startsWith('/') === true;
    return isPath && hostCount(request) === 1 && request.headers.host === this.host;
  }

  /** Other ports of this machine are the same site for a browser. Pages there may link here, and nothing else. */
  private hasOwnSource({ headers, method }: IncomingMessage): boolean {
    const {
      origin,
      'sec-fetch-site': site = 'none',
      'sec-fetch-mode': mode,
      'sec-fetch-dest': target,
    } = headers;
    const isLink = method === 'GET' && mode === 'navigate' && target === 'document';
    if (site !== 'none' && site !== 'same-origin' && !isLink) return false;
    // A form of a page with the policy `no-referrer` sends null.
    return origin === undefined || origin === this.origin || (origin === 'null' && site === 'same-origin');
  }

  /** Any of several by the name counts: a page at another port of this machine can add one that hides ours. */
  private hasCookie({ headers }: IncomingMessage): boolean {
    const wanted = hashOf(`${this.cookieName}=${this.cookie}`);
    return (headers.cookie ?? '').split(';').some((pair) => timingSafeEqual(hashOf(pair.trim()), wanted));
  }
}

function forbidden(what: string): OwnResponse {
  return {
    status: 403,
    text: `${what}\nTo open the page, use its link on the Addons page of the cluster in Slipway.`,
  };
}

function randomText(): string {
  return randomBytes(32).toString('base64url');
}

/** Texts of one length, so that comparing them takes the same time. */
function hashOf(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
