import { isIP } from 'node:net';
import { isAbsolute } from 'node:path';
import { itemsOf } from '../values/index.js';

export interface PortRange {
  first: number;
  last: number;
}

export function port(text: string): number {
  const value = Number(text);
  if (!/^\d{1,5}$/.test(text) || value > 65535) {
    throw new Error('must be a port: a whole number from 0 to 65535 (0 lets the system choose)');
  }
  return value;
}

/** Parses `9100-9119`. */
export function portRange(text: string): PortRange {
  const [, first = '', last = first] = /^(\d{1,5})(?:-(\d{1,5}))?$/.exec(text) ?? [];
  const range = { first: Number(first), last: Number(last) };
  if (range.first < 1 || range.last > 65_535 || range.last < range.first) {
    throw new Error('must be a port or a range of ports, such as 9100-9119');
  }
  return range;
}

export function wholeNumber(text: string, minimum: number, maximum: number): number {
  const value = Number(text);
  if (!/^\d+$/.test(text) || value < minimum || value > maximum) {
    throw new Error(`must be a whole number from ${minimum} to ${maximum}`);
  }
  return value;
}

const SIZES: Readonly<Record<string, number>> = { KB: 1e3, MB: 1e6, GB: 1e9, TB: 1e12 };

/** Parses a size with a unit. @returns bytes. */
export function size(text: string, minimum: number): number {
  const [, count, unit = ''] = /^(\d{1,6}(?:\.\d{1,3})?) ?([KMGT]B)$/i.exec(text) ?? [];
  const bytes = Math.round(Number(count) * (SIZES[unit.toUpperCase()] ?? Number.NaN));
  if (Number.isNaN(bytes) || bytes < minimum) {
    throw new Error(`must be a size of at least ${minimum / 1e6}MB, such as 500MB or 2GB`);
  }
  return bytes;
}

export function oneOf<TChoice extends string>(choices: readonly TChoice[]): (text: string) => TChoice {
  return (text) => {
    const found = choices.find((choice) => choice === text);
    if (!found) throw new Error(`must be one of ${choices.join(', ')}`);
    return found;
  };
}

const HOST = /^(\[[0-9a-f:.]+\]|[a-z0-9]([a-z0-9.-]*[a-z0-9])?)(:\d{1,5})?$/i;

export function hosts(text: string): string[] {
  return itemsOf(text).map((entry) => {
    if (!HOST.test(entry)) throw new Error(`contains "${entry}", which is not a host name or host:port`);
    return entry.toLowerCase();
  });
}

/** Addresses and CIDR ranges. */
export function networks(text: string): string[] {
  return itemsOf(text).map((entry) => {
    const [address = '', prefix, ...more] = entry.split('/');
    const bits = isIP(address) === 6 ? 128 : 32;
    const isRange = prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= bits);
    if (isIP(address) === 0 || !isRange || more.length > 0) {
      throw new Error(`contains "${entry}", which is neither an IP address nor a range such as 10.0.0.0/8`);
    }
    return entry;
  });
}

/** First segments of Slipway's own paths. Below such a path, a proxy that removes it would look like one that keeps it. */
const OWN_PATHS =
  /^\/(?:alerts|api|clusters?|dashboard|diagnostics|docs|documentation|events|fonts|jobs|journal|log-board|login|logs|media|readme|redoc|saved-searches|sessions|storage|ws)(?:\/|$)/;

/** The URL of an application behind a proxy, which may be below a path. Without a final slash. */
export function publicUrl(text: string): string {
  if (text === '') return '';
  const url = URL.parse(text);
  const path = url?.pathname.replace(/\/$/, '') ?? '';
  const isPlain = url && /^https?:$/.test(url.protocol) && url.origin + url.pathname === url.href;
  if (!isPlain || !/^(?:\/[\w.~-]+)*$/.test(path)) {
    throw new Error(
      'must be an http or https URL without a query, whose path has only letters, digits and . _ ~ -, such as https://example.com/slipway',
    );
  }
  if (OWN_PATHS.test(path)) throw new Error('must not have a path that begins like a path of Slipway');
  return url.origin + path;
}

/** Where journal entries go. With `syslog`, `https:` means TCP with TLS and `http:` without. */
export interface AuditTarget {
  form: 'syslog' | 'webhook';
  url: URL;
}

export function auditTarget(text: string): AuditTarget | undefined {
  if (text === '') return undefined;
  const transport = /^syslog\+(tls|tcp):\/\//i.exec(text)?.[1]?.toLowerCase();
  const isTls = transport === 'tls';
  const url = URL.parse(transport === undefined ? text : text.replace(/^[^:]*/, isTls ? 'https' : 'http'));
  const isWeb = url && /^https?:$/.test(url.protocol) && url.username + url.password + url.hash === '';
  if (!isWeb || (transport !== undefined && url.pathname + url.search !== '/')) {
    throw new Error('must be a URL with syslog+tls://, syslog+tcp:// or https://, without a user name');
  }
  // RFC 5425; RFC 6587 has no port of its own.
  if (transport !== undefined && !/:\d+\/?$/.test(text)) url.port = isTls ? '6514' : '601';
  return { form: transport === undefined ? 'webhook' : 'syslog', url };
}

/** The URL of an external log store; undefined for the embedded one. */
export function logStore(text: string): URL | undefined {
  if (text === 'embedded') return undefined;
  const url = URL.parse(text);
  const isValid =
    url && /^https?:$/.test(url.protocol) && url.search === '' && url.hash === '' && areDecodable(url);
  if (!isValid) {
    throw new Error(
      'must be embedded, or an http or https URL without a query, such as http://127.0.0.1:9428',
    );
  }
  return url;
}

function areDecodable({ username, password }: URL): boolean {
  try {
    decodeURIComponent(username + password);
    return true;
  } catch {
    return false;
  }
}

export function optionalPath(text: string): string {
  return text === '' ? '' : absolutePath(text);
}

export function absolutePath(text: string): string {
  if (!isAbsolute(text)) throw new Error('must be an absolute path');
  return text;
}

/**
 * An image repository without tag or digest: optional registry host and port, then path components, as in the
 * reference package of the distribution project.
 */
export const REPOSITORY =
  /^([a-z0-9]([a-z0-9.-]*[a-z0-9])?(:\d{1,5})?\/)?[a-z0-9]+([._-]+[a-z0-9]+)*(\/[a-z0-9]+([._-]+[a-z0-9]+)*)*$/i;

/** Values that are common in examples and protect nothing. */
const PLACEHOLDER =
  /^(change[-_ ]?(me|it|this).*|replace[-_ ]?(me|this|with).*|(my|super|top)?[-_ ]?secret([-_ ]?key)?\d*|password\d*|admin\d*|your[-_ ].*|placeholder|default|example|test\d*|12345678\d*)$/i;

/** A failure that the demo runtime simulates: the operation and optionally the step at which it fails. */
export interface DemoFailure {
  operation: string;
  step?: string;
}

const DEMO_FAILURE =
  /^(create|delete|start|stop|pull|load|install|upgrade|rollback|uninstall)(?::([a-z][a-z-]*))?$/;

export function demoFailures(text: string): DemoFailure[] {
  return itemsOf(text).map((entry) => {
    const [, operation, step] = DEMO_FAILURE.exec(entry) ?? [];
    if (operation !== undefined) return { operation, step };
    throw new Error(
      `contains "${entry}"; use create, delete, start, stop, pull, load, install, upgrade, rollback or uninstall, optionally with a step as in create:joining-workers`,
    );
  });
}

/** @throws Error whose message completes the sentence "The password …" */
export function chosenPassword(text: string): string {
  if (text === '') return '';
  if (PLACEHOLDER.test(text)) throw new Error('is a known placeholder and protects nothing');
  if (text.length < 8) throw new Error('must have at least 8 characters');
  return text;
}

export function secretKey(text: string): string {
  if (PLACEHOLDER.test(text)) throw new Error('is a known placeholder and protects nothing');
  if (!/^([0-9a-f]{2}){32,}$/i.test(text)) {
    throw new Error('must be at least 32 random bytes in hex; `openssl rand -hex 32` creates one');
  }
  if (new Set(text.toLowerCase()).size < 4) throw new Error('is not random');
  return text;
}
