import type { IncomingMessage } from 'node:http';
import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { Configuration } from '../config/index.js';
import { DomainError } from '../errors/index.js';
import { hostLiteral, plainAddress } from './address.js';
import { TrustedProxies } from './trusted-proxies.js';

/** Types of image archives. HTML forms of other sites cannot send them. */
const ARCHIVE_TYPES = new Set(['application/x-tar', 'application/octet-stream']);
const ARCHIVE_ROUTE = /^\/api\/v1\/clusters\/[^/]+\/images\/upload\/?$/i;
const CHART_TYPES = new Set(['application/gzip', 'application/x-gzip', 'application/x-tgz']);
const FILE_TYPES = new Set(['application/octet-stream']);
const FILE_ROUTE = /^\/api\/v1\/clusters\/[^/]+\/pods\/[^/]+\/[^/]+\/files\/content\/?$/i;
const CHART_ROUTE = /^\/api\/v1\/clusters\/[^/]+\/addons\/charts\/?$/i;
/** Types of YAML; few programs use the registered one, the first (RFC 9512). */
export const YAML_TYPES = ['application/yaml', 'application/x-yaml', 'text/yaml', 'text/x-yaml'] as const;
/** HTML forms cannot send these types, and scripts of other sites need a CORS preflight for them. */
const BODY_TYPES = new Set<string>(['application/json', ...YAML_TYPES]);

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);
/** Paths that serve data to programs and Slipway's own pages. Pages of other sites may only link to other paths. */
const DATA_ROUTE = /^\/(api|openapi\.(json|yaml)|readme)(\/|$)/i;

/**
 * The first check of every HTTP request and WebSocket upgrade.
 *
 * Every web page that the user opens can reach a server on loopback. Three checks prevent abuse: the Host header must be
 * one of Slipway's own (DNS rebinding sends a foreign name, with a matching Origin); a write or a request for data must
 * not come from another site; and the body of a write must be JSON or YAML, which HTML forms cannot send.
 */
@Injectable()
export class HostOriginGuard {
  private readonly allowedHosts: Set<string>;
  private readonly hasConfiguredHosts: boolean;
  private readonly proxies: TrustedProxies;

  constructor({ values }: Configuration) {
    this.hasConfiguredHosts = values.allowedHosts.length > 0;
    const publicUrls = [values.publicUrl, values.logBoardPublicUrl].filter((url) => url !== '');
    this.allowedHosts = new Set([...values.allowedHosts, ...publicUrls.map((url) => new URL(url).host)]);
    this.proxies = new TrustedProxies(values.trustedProxies);
  }

  /** Allows the loopback names with the bound port, which is known once the server listens. */
  open(port: number): void {
    for (const name of ['localhost', '127.0.0.1', '[::1]']) {
      this.allowedHosts.add(`${name}:${port}`);
      // Browsers omit the default port.
      if (port === 80) this.allowedHosts.add(name);
    }
  }

  /**
   * Routes are matched by the path as Express parses it, which also handles the absolute form of a URL and fragments.
   * @throws DomainError `forbidden_proxy`, `forbidden_host`, `forbidden_origin` or `unsupported_media_type`.
   */
  checkRequest(request: Request): void {
    this.proxies.identify(request);
    this.checkHost(request);
    if (SAFE_METHODS.has(request.method)) {
      // A page of another site cannot read the response, but can cause work, for example with an image URL.
      if (DATA_ROUTE.test(request.path) && !isLinkToDocument(request)) {
        this.checkOrigin(request, ['same-origin', 'none']);
      }
      return;
    }
    this.checkOrigin(request, ['same-origin']);
    checkContentType(request);
  }

  /** The same for an upgrade, which browsers send to other sites without a preflight. @throws DomainError */
  checkUpgrade(request: IncomingMessage): void {
    this.proxies.identify(request);
    this.checkHost(request);
    this.checkOrigin(request, ['same-origin']);
  }

  /**
   * Whether the browser reports that a page of this server sent the request. Protects what a cookie alone allows.
   * Programs other than browsers do not send these headers.
   */
  isFromOwnPage(request: IncomingMessage): boolean {
    const { origin, 'sec-fetch-site': site } = request.headers;
    if (site !== undefined) return site === 'same-origin';
    return origin !== undefined && hostIn(origin) === request.headers.host?.toLowerCase();
  }

  /** Whether a host is allowed, or the local address of the connection, which DNS rebinding cannot forge. */
  private isOwn(host: string, { socket }: IncomingMessage): boolean {
    return this.allowedHosts.has(host) || host === hostOf(socket.localAddress, socket.localPort);
  }

  /** The value to set. The host is from the request, so it is printed only if it is one. */
  private fixFor(host: string): string {
    if (!/^(?:[a-z0-9.-]{1,253}|\[[0-9a-f:]{2,39}\])(?::\d{1,5})?$/.test(host)) {
      return 'add the name to APP_ALLOWED_HOSTS';
    }
    return this.hasConfiguredHosts
      ? `add ${host} to the names in APP_ALLOWED_HOSTS`
      : `set APP_ALLOWED_HOSTS=${host}`;
  }

  private checkHost(request: IncomingMessage): void {
    const count = hostCount(request);
    if (count === 0) {
      throw new DomainError('malformed_request', 'The request has no Host header, which HTTP/1.1 requires.');
    }
    const host = request.headers.host?.toLowerCase() ?? '';
    if (count === 1 && this.isOwn(host, request)) return;
    throw new DomainError(
      'forbidden_host',
      `Slipway is not served under this host name. Open http://localhost with its port, or ${this.fixFor(host)} and restart Slipway.`,
    );
  }

  /** @param sites allowed values of Sec-Fetch-Site. "same-site" is another port of this machine, which is not Slipway. */
  private checkOrigin(request: IncomingMessage, sites: readonly string[]): void {
    const { origin, 'sec-fetch-site': site } = request.headers;
    if (site !== undefined && !sites.includes(site)) throw foreignOrigin();
    if (origin === undefined) return;
    const host = hostIn(origin);
    if (host === undefined || !this.isOwn(host, request)) throw foreignOrigin();
  }
}

/** Whether a request follows a link on another site, such as in a README, to the OpenAPI document, which is cheap. */
function isLinkToDocument({ path, headers }: Request): boolean {
  const { 'sec-fetch-mode': mode, 'sec-fetch-dest': destination } = headers;
  return mode === 'navigate' && destination === 'document' && /^\/openapi\.(json|yaml)\/?$/i.test(path);
}

/** The number of Host headers. Node uses the first of several, and a proxy may have checked another. */
export function hostCount({ rawHeaders }: IncomingMessage): number {
  return rawHeaders.filter((header, index) => index % 2 === 0 && header.toLowerCase() === 'host').length;
}

/** The host and port of an Origin header; undefined for an opaque origin. */
function hostIn(origin: string): string | undefined {
  return /^https?:\/\/([^/]+)$/.exec(origin.toLowerCase())?.[1];
}

/** The Host header of a request to a local address. */
function hostOf(address: string | undefined, port = 0): string {
  const literal = hostLiteral(plainAddress(address));
  return port === 80 ? literal : `${literal}:${port}`;
}

function foreignOrigin(): DomainError {
  return new DomainError(
    'forbidden_origin',
    'The request comes from a web page of another site. Slipway accepts requests only from its own pages and from programs.',
  );
}

/** A write has JSON, YAML or no body, or an archive where a route expects one. */
function checkContentType(request: Request): void {
  const type = mediaType(request);
  if (!hasBody(request) && type === undefined) return;
  if (type !== undefined && BODY_TYPES.has(type)) return;
  if (ARCHIVE_TYPES.has(type ?? '') && ARCHIVE_ROUTE.test(request.path)) return;
  if (FILE_TYPES.has(type ?? '') && FILE_ROUTE.test(request.path)) return;
  if (CHART_TYPES.has(type ?? '') && CHART_ROUTE.test(request.path)) return;
  throw unsupportedType(type);
}

export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

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
