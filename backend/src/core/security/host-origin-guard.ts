import type { IncomingMessage } from 'node:http';
import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { Configuration } from '../config/index.js';
import { DomainError } from '../errors/index.js';
import { hostLiteral, plainAddress } from './address.js';
import { TrustedProxies } from './trusted-proxies.js';

/** An image archive is no JSON. A foreign form cannot send these types either. */
const ARCHIVE_TYPES = new Set(['application/x-tar', 'application/octet-stream']);
const ARCHIVE_ROUTE = /^\/api\/v1\/clusters\/[^/]+\/images\/upload\/?$/i;
/** A packed chart, by its names. */
const CHART_TYPES = new Set(['application/gzip', 'application/x-gzip', 'application/x-tgz']);
const CHART_ROUTE = /^\/api\/v1\/clusters\/[^/]+\/addons\/charts\/?$/i;
/** Types of a config as it is written; few programs know the registered one, the first (RFC 9512). */
export const YAML_TYPES = ['application/yaml', 'application/x-yaml', 'text/yaml', 'text/x-yaml'] as const;
/** None of them can be sent by a foreign form, or by a foreign page without asking first. */
const BODY_TYPES = new Set<string>(['application/json', ...YAML_TYPES]);

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);
/** What answers with data, for programs and own pages. A page of another site may only link to the other paths. */
const DATA_ROUTE = /^\/(api|openapi\.(json|yaml)|readme)(\/|$)/i;

/**
 * Decides, before anything else, whether a request may come in at all: HTTP and WebSocket upgrades alike.
 *
 * A server on loopback is still reachable by every web page that the user opens. Three checks close that:
 * the Host must be one of ours, exactly (DNS rebinding brings a foreign name to our address, with an
 * Origin that equals it); a change, and any request for data, must not come from another site; and a change must be
 * JSON or YAML, which a foreign form cannot send.
 */
@Injectable()
export class HostOriginGuard {
  private readonly allowedHosts: Set<string>;
  private readonly proxies: TrustedProxies;

  constructor({ values }: Configuration) {
    const publicUrls = [values.publicUrl, values.logBoardPublicUrl].filter((url) => url !== '');
    this.allowedHosts = new Set([...values.allowedHosts, ...publicUrls.map((url) => new URL(url).host)]);
    this.proxies = new TrustedProxies(values.trustedProxies);
  }

  /** Tells the gate which port was bound, which is only known once the server listens. */
  open(port: number): void {
    for (const name of ['localhost', '127.0.0.1', '[::1]']) {
      this.allowedHosts.add(`${name}:${port}`);
      // Browsers leave the default port out.
      if (port === 80) this.allowedHosts.add(name);
    }
  }

  /**
   * Routes are told by Express' own reading of the path, which knows more spellings than the URL shows: the absolute
   * form, a fragment.
   * @throws DomainError `forbidden_proxy`, `forbidden_host`, `forbidden_origin` or `unsupported_media_type`.
   */
  checkRequest(request: Request): void {
    this.proxies.identify(request);
    this.checkHost(request);
    if (SAFE_METHODS.has(request.method)) {
      // A foreign page cannot read the answer, but it can make Slipway work for it, as with the address of a picture.
      if (DATA_ROUTE.test(request.path) && !isLinkToDocument(request)) {
        this.checkOrigin(request, ['same-origin', 'none']);
      }
      return;
    }
    this.checkOrigin(request, ['same-origin']);
    checkContentType(request);
  }

  /** The same for an upgrade, which browsers send across sites without asking. @throws DomainError */
  checkUpgrade(request: IncomingMessage): void {
    this.proxies.identify(request);
    this.checkHost(request);
    this.checkOrigin(request, ['same-origin']);
  }

  /**
   * Whether a browser says that the request comes from a page of this server. Programs say nothing of it, and are
   * not taken at their word: this is for what a cookie alone allows.
   */
  isFromOwnPage(request: IncomingMessage): boolean {
    const { origin, 'sec-fetch-site': site } = request.headers;
    if (site !== undefined) return site === 'same-origin';
    return origin !== undefined && hostIn(origin) === request.headers.host?.toLowerCase();
  }

  /**
   * One of our names, or the address itself at which the request arrived: no name was looked up for that, and so
   * none can have been bent to lead here.
   */
  private isOwn(host: string, { socket }: IncomingMessage): boolean {
    return this.allowedHosts.has(host) || host === hostOf(socket.localAddress, socket.localPort);
  }

  private checkHost(request: IncomingMessage): void {
    const count = hostCount(request);
    if (count === 0) {
      throw new DomainError('malformed_request', 'The request has no Host header, which HTTP/1.1 asks for.');
    }
    const host = request.headers.host?.toLowerCase() ?? '';
    if (count === 1 && this.isOwn(host, request)) return;
    throw new DomainError(
      'forbidden_host',
      'This address is not one of Slipway’s. Open it as http://localhost with its port, or add the name to APP_ALLOWED_HOSTS.',
    );
  }

  /** @param sites values of Sec-Fetch-Site that are allowed. "same-site" is another port of this machine: not us. */
  private checkOrigin(request: IncomingMessage, sites: readonly string[]): void {
    const { origin, 'sec-fetch-site': site } = request.headers;
    if (site !== undefined && !sites.includes(site)) throw foreignOrigin();
    if (origin === undefined) return;
    const host = hostIn(origin);
    if (host === undefined || !this.isOwn(host, request)) throw foreignOrigin();
  }
}

/** A link on another site, such as in a README, to the description of the API, which costs nothing to send. */
function isLinkToDocument({ path, headers }: Request): boolean {
  const { 'sec-fetch-mode': mode, 'sec-fetch-dest': destination } = headers;
  return mode === 'navigate' && destination === 'document' && /^\/openapi\.(json|yaml)\/?$/i.test(path);
}

/** How many Host headers were sent: of several, Node shows the first, and a proxy may have checked another. */
export function hostCount({ rawHeaders }: IncomingMessage): number {
  return rawHeaders.filter((header, index) => index % 2 === 0 && header.toLowerCase() === 'host').length;
}

/** The host and port of an Origin header; undefined where it names none. */
function hostIn(origin: string): string | undefined {
  return /^https?:\/\/([^/]+)$/.exec(origin.toLowerCase())?.[1];
}

/** The Host header of who came to an address of ours. */
function hostOf(address: string | undefined, port = 0): string {
  const literal = hostLiteral(plainAddress(address));
  return port === 80 ? literal : `${literal}:${port}`;
}

function foreignOrigin(): DomainError {
  return new DomainError(
    'forbidden_origin',
    'The request comes from a web page of another site. Slipway serves its own pages and programs only.',
  );
}

/**
 * A changing request is JSON or YAML, has no body at all, or is an archive where one is expected. Which routes
 * take YAML is theirs to say.
 */
function checkContentType(request: Request): void {
  const type = mediaType(request);
  if (!hasBody(request) && type === undefined) return;
  if (type !== undefined && BODY_TYPES.has(type)) return;
  if (ARCHIVE_TYPES.has(type ?? '') && ARCHIVE_ROUTE.test(request.path)) return;
  if (CHART_TYPES.has(type ?? '') && CHART_ROUTE.test(request.path)) return;
  throw unsupportedType(type);
}

export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/** Whether a body is an archive, which may be large. */
export function isArchive(request: IncomingMessage): boolean {
  const type = mediaType(request) ?? '';
  return ARCHIVE_TYPES.has(type) || CHART_TYPES.has(type);
}

/** The type of a body, without its parameters. */
export function mediaType(request: IncomingMessage): string | undefined {
  return request.headers['content-type']?.split(';')[0]?.trim().toLowerCase();
}

export function unsupportedType(type: string | undefined): DomainError {
  return new DomainError(
    'unsupported_media_type',
    `Send the body as application/json${type ? `, not ${type.slice(0, 60).replace(/[^\w/.+-]/g, '?')}` : ''}.`,
  );
}
