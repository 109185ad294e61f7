import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { hostCount, isSameText, OneTimeTokens } from '../../core/security/index.js';
import type { OwnResponse } from './own-response.js';

const PARAMETER = 'slipway_key';
/** Lifetime of a link, which the page opens immediately. */
const LINK_MS = 60_000;
const MAX_LINKS = 100;

/**
 * Decides which requests a port-forward passes to its Pod: those with its exact Host (DNS rebinding sends a foreign one),
 * from its own pages or by a link, and with its cookie. A browser gets the cookie through a one-time link.
 *
 * The host belongs to one target, so that what a page leaves in the browser (cookies, caches, service workers) never meets
 * another one. Safari does not resolve it and uses 127.0.0.1, which is cleared for each target.
 */
export class ForwardGate {
  readonly origin: string;
  private readonly loopbackOrigin: string;
  private readonly cookieName: string;
  /** Begins with the host, by which a browser shows whose data it has. */
  private readonly cookie: string;
  private readonly keys = new OneTimeTokens(LINK_MS, MAX_LINKS);

  /** @param host a random name for the target, below `localhost` */
  constructor(
    private readonly host: string,
    port: number,
  ) {
    this.origin = `http://${host}.localhost:${port}`;
    this.loopbackOrigin = `http://127.0.0.1:${port}`;
    // Cookies ignore ports.
    this.cookieName = `slipway_forward_${port}`;
    this.cookie = `${host}.${randomText()}`;
  }

  /** @param browser the `User-Agent` of the browser that opens it */
  issueLink(browser?: string, path = '/'): string {
    const key = randomText();
    this.keys.add(key, true);
    return `${this.originFor(browser)}${path}${path.includes('?') ? '&' : '?'}${PARAMETER}=${key}`;
  }

  originFor(browser?: string): string {
    return resolvesLocalhost(browser) ? this.origin : this.loopbackOrigin;
  }

  /** Whether a request is for the page, rather than for the port as plain TCP. */
  isFor(host = '', browser?: string): boolean {
    return [this.origin, this.originFor(browser)].includes(`http://${host.toLowerCase()}`);
  }

  /** @returns null for a request that goes to the Pod, otherwise its response. */
  check(request: IncomingMessage): OwnResponse | null {
    const { headers, url = '' } = request;
    const origin = `http://${headers.host?.toLowerCase() ?? ''}`;
    const isOwn = hostCount(request) === 1 && this.isFor(headers.host, headers['user-agent']);
    // An absolute URL in the request line would replace the Host header.
    if (!isOwn || !url.startsWith('/')) {
      return forbidden(`This URL does not belong to the port-forward. Use ${this.origin}.`);
    }
    if (!hasOwnSource(request, origin)) {
      return forbidden('The request comes from a web page of another site.');
    }
    if (origin !== this.origin && headers['service-worker'] !== undefined) {
      return forbidden('A service worker would stay in the browser for the next program on this port.');
    }
    // A key never reaches the Pod, wherever it is in the URL.
    if (url.includes(`${PARAMETER}=`)) return this.exchange(request, origin);
    return this.hasCookie(request)
      ? null
      : forbidden('This browser has not opened the port-forward through Slipway.');
  }

  private exchange(request: IncomingMessage, origin: string): OwnResponse {
    const { url = '', method, headers } = request;
    const at = url.indexOf(`${PARAMETER}=`);
    const path = url.slice(0, at).replace(/[?&]$/, '');
    const key = url.slice(at + PARAMETER.length + 1);
    const isNew = method === 'GET' && this.keys.take(key);
    if (!isNew && !this.hasCookie(request)) return forbidden('The link was already used, or has expired.');
    const isOther = !(headers.cookie ?? '').includes(`${this.cookieName}=${this.host}.`);
    return {
      status: 303,
      text: 'The port-forward is open.',
      headers: {
        // With the origin: a path may begin with two slashes.
        Location: origin + path,
        // Not Strict: after the redirect from Slipway's page, which is another site, browsers would not send it.
        ...(isNew && { 'Set-Cookie': `${this.cookieName}=${this.cookie}; Path=/; HttpOnly; SameSite=Lax` }),
        // Not its cookies, which belong to all ports.
        ...(isNew && isOther && origin !== this.origin && { 'Clear-Site-Data': '"cache", "storage"' }),
      },
    };
  }

  /** Accepts any of several cookies with the name, since a page on another port can add one that hides the right one. */
  private hasCookie({ headers }: IncomingMessage): boolean {
    const wanted = `${this.cookieName}=${this.cookie}`;
    return (headers.cookie ?? '').split(';').some((pair) => isSameText(pair.trim(), wanted));
  }
}

/** For browsers, other ports of 127.0.0.1 are the same site. Pages of other origins may only link here. */
function hasOwnSource({ headers, method }: IncomingMessage, own: string): boolean {
  const {
    origin,
    'sec-fetch-site': site = 'none',
    'sec-fetch-mode': mode,
    'sec-fetch-dest': target,
  } = headers;
  const isLink = method === 'GET' && mode === 'navigate' && target === 'document';
  if (site !== 'none' && site !== 'same-origin' && !isLink) return false;
  // Forms on a page with the policy `no-referrer` send null.
  return origin === undefined || origin === own || (origin === 'null' && site === 'same-origin');
}

/** Safari resolves names by the system, which has none below `localhost`. All browsers of iOS are Safari inside. */
function resolvesLocalhost(browser = ''): boolean {
  return !browser.includes('Safari/') || /Chrom(e|ium)\//.test(browser);
}

function forbidden(what: string): OwnResponse {
  return { status: 403, text: `${what}\nTo open the page, use its link in Slipway.` };
}

function randomText(): string {
  return randomBytes(32).toString('base64url');
}
