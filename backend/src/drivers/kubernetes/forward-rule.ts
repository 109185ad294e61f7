import type { IncomingHttpHeaders } from 'node:http';
import { LOOPBACK_HOST } from '../../core/security/index.js';
import type { ForwardGate } from './forward-gate.js';
import type { RequestHead } from './forward-requests.js';
import type { OwnResponse } from './own-response.js';

const ABSOLUTE_URL = /^[a-z][a-z0-9+.-]*:\/\/([^/?#]*)/i;

/** A port-forward as its rule sees it. */
export interface RuledForward {
  port: number;
  /** Names that the user has added, in lower case. */
  hosts: readonly string[];
  /** Whether programs may use it. Otherwise only its page is forwarded. */
  isPlain: boolean;
  /** Of its page; null without one. */
  gate: Pick<ForwardGate, 'originFor' | 'issueLink'> | null;
}

/**
 * Which HTTP requests pass as plain TCP. Each program of the user may send any, but a browser sends those of every web
 * page: by the name of a foreign site (DNS rebinding), with a foreign Origin or from a foreign page.
 * @returns null if the request passes, otherwise its response
 */
export function checkPlainRequest(head: RequestHead, forward: RuledForward): OwnResponse | null {
  const { headers, doubled, isHttp10, url } = head;
  const { gate, isPlain, port } = forward;
  const host = headers.host?.toLowerCase();
  if (gate && isLoopbackHost(host, port) && doubled === null && isNavigation(head)) {
    return redirect(gate, head, isPlain);
  }
  if (!isPlain) return refused('Only a browser with a link can use this port-forward.', gate);
  if (doubled !== null) return refused(`The header ${doubled} occurs twice.`, gate);
  if (host === undefined && !isHttp10) return refused('The request has no Host header.', gate);
  const authorities = [host, ABSOLUTE_URL.exec(url)?.[1]?.toLowerCase()].filter((one) => one !== undefined);
  const foreign = authorities.find((one) => !isLoopbackHost(one, port) && !isAddedHost(one, forward));
  if (foreign !== undefined) {
    return refused(
      `The host ${foreign.slice(0, 100)} does not belong to this port-forward. Use 127.0.0.1:${port}, or add the host to its hosts.`,
      gate,
    );
  }
  if (isOfOtherSite(headers, host)) {
    return refused('The request comes from a web page of another site, which cannot use this port.', gate);
  }
  if (headers['service-worker'] !== undefined) {
    return refused('A service worker would stay in the browser for the next program on this port.', gate);
  }
  return null;
}

/** A browser's request for a page, rather than for its parts or by a program. */
function isNavigation({ method, headers }: RequestHead): boolean {
  if (method !== 'GET' && method !== 'HEAD') return false;
  const { 'sec-fetch-mode': mode, 'sec-fetch-dest': target, accept = '', 'user-agent': agent = '' } = headers;
  if (mode !== undefined) return mode === 'navigate' && target === 'document';
  return accept.includes('text/html') && agent.startsWith('Mozilla/');
}

/**
 * To the same page of the own origin. Who typed the address may use the port as plain TCP too, so the browser is admitted;
 * who follows a link needs the cookie.
 */
function redirect(
  gate: NonNullable<RuledForward['gate']>,
  { url, headers }: RequestHead,
  isPlain: boolean,
): OwnResponse {
  const path = url.startsWith('/') ? url : '/';
  const browser = headers['user-agent'];
  const origin = gate.originFor(browser);
  const isTyped = isPlain && headers['sec-fetch-site'] === 'none' && headers.origin === undefined;
  return {
    status: 307,
    text: `The page is at ${origin}.`,
    headers: { Location: isTyped ? gate.issueLink(browser, path) : origin + path },
  };
}

function isOfOtherSite({ origin, 'sec-fetch-site': site }: IncomingHttpHeaders, host = ''): boolean {
  return (
    (origin !== undefined && origin.toLowerCase() !== `http://${host}`) ||
    (site !== undefined && site !== 'none' && site !== 'same-origin')
  );
}

function isLoopbackHost(host: string | undefined, port: number): boolean {
  const found = LOOPBACK_HOST.exec(host ?? '');
  return found !== null && Number(found[3]?.slice(1) ?? 80) === port;
}

/** Programs such as `curl --header Host:` leave out the port. */
function isAddedHost(host: string, { hosts, port }: RuledForward): boolean {
  return hosts.some((name) => host === name || host === `${name}:${port}`);
}

function refused(what: string, gate: RuledForward['gate']): OwnResponse {
  const hint = gate ? `\nTo open the page in a browser, use its link in Slipway.` : '';
  return { status: 403, text: `Slipway did not forward the request. ${what}${hint}\n` };
}
