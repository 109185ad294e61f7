import { createHash, X509Certificate } from 'node:crypto';
import { DomainError } from '../../core/errors/index.js';
import { isRecord } from '../../core/values/index.js';
import { parseExecPlugin, type ExecPlugin } from './exec-plugin.js';
import type { Fields } from '../../core/kubeconfig/index.js';
import type { UserContext } from './kubeconfig-files.js';
import { textOf } from '../../core/kubeconfig/index.js';

/** Text that is in the kubeconfig, or in a file. */
export type Source = { data: string } | { file: string; text?: string };

/** A context whose fields are usable. Has credentials: must never be logged or be part of an error. */
export interface ContextEntry {
  name: string;
  server: URL;
  /** PEM. */
  authority: Source | null;
  serverName: string | null;
  insecure: boolean;
  proxy: URL | null;
  namespace: string | null;
  userName: string;
  certificate: Source | null;
  key: Source | null;
  token: Source | null;
  basic: { username: string; password: string } | null;
  plugin: { plugin: ExecPlugin; folder: string } | null;
  impersonate: { user: string; groups: string[]; uid: string | null } | null;
}

/** Characters that a header may have. */
const HEADER = /^[\t\x20-\x7e\u0080-\u00ff]*$/;

/** Fields that lead to other files or programs. */
const EXTERNAL = [
  'certificate-authority',
  'client-certificate',
  'client-key',
  'tokenFile',
  'exec',
  'auth-provider',
];

/** @throws DomainError `kubeconfig_unusable` with the field, and without a value of the kubeconfig */
export function readContext(context: UserContext): ContextEntry {
  const { name, cluster, user } = context;
  if (!cluster) throw unusable(name, 'its cluster is in no file of KUBECONFIG');
  if (!user && context.userName !== '') throw unusable(name, 'its user is in no file of KUBECONFIG');
  const identity = user ?? {};
  if (context.file === null) {
    refusePaths(name, cluster);
    refusePaths(name, identity);
  }
  if (isSet(identity['auth-provider'])) {
    throw unusable(
      name,
      'it uses an auth-provider, which kubectl no longer supports. Use an exec plugin such as kubelogin or gke-gcloud-auth-plugin',
    );
  }
  const exec = identity['exec'];
  const authority = sourceOf(cluster, 'certificate-authority', name);
  const insecure = cluster['insecure-skip-tls-verify'] === true;
  if (insecure && authority) {
    throw unusable(name, 'insecure-skip-tls-verify and a certificate authority exclude each other');
  }
  const certificate = sourceOf(identity, 'client-certificate', name);
  const key = sourceOf(identity, 'client-key', name);
  if ((certificate === null) !== (key === null)) {
    throw unusable(name, `its ${certificate ? 'client-key' : 'client-certificate'} is missing`);
  }
  return {
    name,
    server: urlOf(name, 'server', field(cluster, 'server'), ['https:', 'http:']),
    authority,
    serverName: field(cluster, 'tls-server-name'),
    insecure,
    proxy: field(cluster, 'proxy-url') === null ? null : proxyOf(name, field(cluster, 'proxy-url')),
    namespace: context.namespace,
    userName: context.userName,
    certificate,
    key,
    token: tokenOf(identity),
    basic: basicOf(name, identity),
    plugin: isRecord(exec)
      ? { plugin: pluginOf(name, exec), folder: textOf(identity['folder']) ?? '/' }
      : null,
    impersonate: impersonationOf(name, identity),
  };
}

/**
 * Changes when the context leads to another server or user. A token or certificate that is renewed for the same user does
 * not change it.
 */
export function identityOf(entry: ContextEntry): string {
  const {
    server,
    authority,
    serverName,
    insecure,
    proxy,
    userName,
    certificate,
    plugin,
    impersonate,
    basic,
  } = entry;
  const parts = [
    server.href,
    textOr(authority),
    serverName,
    insecure,
    proxy?.href,
    userName,
    subjectOf(certificate),
    entry.token === null ? null : 'file' in entry.token ? entry.token.file : 'token',
    basic?.username,
    plugin,
    impersonate,
  ];
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}

/** Whether the context signs in with its plugin: a certificate or token of its own has precedence. */
export function runsPlugin({ plugin, certificate, token }: ContextEntry): boolean {
  return plugin !== null && certificate === null && token === null;
}

/** The text of a source, or its file while that cannot be read. */
function textOr(source: Source | null): string | null {
  if (!source) return null;
  return 'data' in source ? source.data : (source.text ?? source.file);
}

function subjectOf(certificate: Source | null): string | null {
  const text = textOr(certificate);
  if (text === null) return null;
  try {
    return new X509Certificate(text).subject;
  } catch {
    return 'invalid';
  }
}

function refusePaths(name: string, fields: Fields): void {
  const found = EXTERNAL.find((one) => isSet(fields[one]));
  if (found === undefined) return;
  const isProgram = found === 'exec' || found === 'auth-provider';
  throw unusable(
    name,
    isProgram
      ? `a pasted kubeconfig must not have ${found}, which runs a program. Add the context from a file of KUBECONFIG, or use the token of a service account`
      : `a pasted kubeconfig must not have ${found}, which leads to a file. Paste the output of: kubectl config view --raw --flatten`,
  );
}

function pluginOf(name: string, exec: unknown): ExecPlugin {
  try {
    return parseExecPlugin(exec);
  } catch (error) {
    throw unusable(name, (error as Error).message.replace(/\.$/, ''));
  }
}

function tokenOf(user: Fields): Source | null {
  // As in client-go, the file has precedence.
  const file = field(user, 'tokenFile');
  if (file !== null) return { file };
  const token = field(user, 'token');
  return token === null ? null : { data: token };
}

function basicOf(name: string, user: Fields): ContextEntry['basic'] {
  const username = field(user, 'username');
  const password = field(user, 'password');
  if (username === null) return null;
  if (field(user, 'token') !== null) throw unusable(name, 'username and token exclude each other');
  return { username, password: password ?? '' };
}

function impersonationOf(name: string, user: Fields): ContextEntry['impersonate'] {
  const as = field(user, 'as');
  const listed: unknown = user['as-groups'];
  const groups = (Array.isArray(listed) ? listed : []).filter((group) => typeof group === 'string');
  const uid = field(user, 'as-uid');
  if (as === null) {
    if (groups.length > 0 || uid !== null) throw unusable(name, 'as-groups and as-uid need as');
    return null;
  }
  if (![as, uid ?? '', ...groups].every((text) => HEADER.test(text))) throw unusable(name, 'as is invalid');
  if (isSet(user['as-user-extra'])) throw unusable(name, 'as-user-extra is not supported');
  return { user: as, groups, uid };
}

function sourceOf(fields: Fields, what: string, name: string): Source | null {
  const data = field(fields, `${what}-data`);
  // As in client-go, the data has precedence.
  if (data !== null) {
    const pem = Buffer.from(data, 'base64').toString('latin1');
    if (!pem.includes('-----BEGIN ')) throw unusable(name, `${what}-data is not PEM in Base64`);
    return { data: pem };
  }
  const file = field(fields, what);
  return file === null ? null : { file };
}

function proxyOf(name: string, value: string | null): URL {
  return urlOf(name, 'proxy-url', value, ['http:', 'https:', 'socks5:']);
}

function urlOf(name: string, what: string, value: string | null, protocols: readonly string[]): URL {
  // As in client-go, a server without a scheme has the scheme http.
  const text = value !== null && what === 'server' && !value.includes('://') ? `http://${value}` : value;
  const url = text !== null && URL.canParse(text) ? new URL(text) : undefined;
  if (url && what === 'server' && (url.username !== '' || url.password !== '')) {
    throw unusable(name, 'server must not contain a user or password');
  }
  if (!url || !protocols.includes(url.protocol) || url.hostname === '') {
    const schemes = protocols.map((protocol) => protocol.slice(0, -1)).join(', ');
    throw unusable(name, `${what} must be a URL with one of the schemes ${schemes}`);
  }
  return url;
}

function field(fields: Fields, name: string): string | null {
  const value = textOf(fields[name]);
  return value === '' ? null : value;
}

function isSet(value: unknown): boolean {
  return value !== undefined && value !== null && value !== '';
}

function unusable(name: string, problem: string): DomainError {
  return new DomainError('kubeconfig_unusable', `Context ${name} cannot be used: ${problem}.`);
}
