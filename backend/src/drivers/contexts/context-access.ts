import { DomainError, fileFailure, guardedTimeout, reasonOf } from '../../core/errors/index.js';
import { singleKubeconfig } from '../../core/kubeconfig/index.js';
import { registerSecret } from '../../core/logging/index.js';
import { FileCache } from '../../core/storage/index.js';
import type { ApiCredentials, ServerAccess } from '../kubernetes/index.js';
import type { ContextEntry, Source } from './context-entry.js';
import { identityOf, runsPlugin } from './context-entry.js';
import { environmentProxy } from './environment-proxy.js';
import type { PluginCredentials } from './exec-credential.js';
import { pluginFingerprint, resolvePlugin } from './exec-plugin.js';
import { CredentialPlugin } from './plugin-credentials.js';

/** Certificates and tokens have a few kB. */
const MAX_FILE_BYTES = 1_000_000;
/** Servers elsewhere respond later than those of this machine. */
const DEADLINE_MS = 10_000;
/** Half of what kubectl allows itself, since the pages of several people share it. */
const REQUESTS_PER_SECOND = 25;
/** Interval at which a refusal lets the plugin run again. */
const FORGET_MS = 30_000;
/** How long the failure of a plugin is remembered: its next call could open a browser again. */
const FAILED_MS = 10 * 60_000;
/** How long the token of a file or plugin stays masked after it was replaced: it may still be valid. */
const REPLACED_MS = 3600_000;
const TOKEN = /^[\x21-\x7e]+$/;

type Environment = Readonly<Record<string, string | undefined>>;

interface AccessOptions {
  /** The fingerprint of the plugin that the user allowed; null for none. */
  consent: string | null;
  /** That the user typed. */
  namespaces: readonly string[];
  environment: Environment;
}

/** The command of an exec plugin, for the user's consent. */
export interface PluginRun {
  command: string;
  args: readonly string[];
  env: readonly { name: string; value: string }[];
  /** Absolute path of the program. */
  path: string;
  fingerprint: string;
}

/** Reaches the server of a context with its credentials. Files of credentials are read again when they change. */
export class ContextAccess implements ServerAccess {
  readonly identity: string;
  readonly server: URL;
  readonly proxy?: URL;
  readonly namespaces: readonly string[];
  readonly deadlineMs = DEADLINE_MS;
  readonly acceptEncoding = 'gzip';
  readonly requestsPerSecond = REQUESTS_PER_SECOND;
  private readonly files = new FileCache(MAX_FILE_BYTES, (text) => text);
  /** Ends the masking of the current token of a file or plugin. */
  private unmask: (() => void) | undefined;
  private isClosed = false;
  private known: { parts: string; credentials: ApiCredentials } | undefined;
  private forgottenAt = -Infinity;
  private failure: { at: number; error: Error } | undefined;
  private fromPlugin: { found: PluginCredentials; credentials: ApiCredentials } | undefined;

  private constructor(
    private readonly entry: ContextEntry,
    readonly tls: ServerAccess['tls'],
    private readonly plugin: CredentialPlugin | undefined,
    { consent, namespaces, environment }: AccessOptions,
  ) {
    this.namespaces = [...new Set([entry.namespace ?? 'default', ...namespaces])];
    // Another authority or another consent needs other connections too.
    this.identity = [identityOf(entry), consent, String(tls.ca ?? ''), ...this.namespaces].join('\n');
    this.server = entry.server;
    const proxy = entry.proxy ?? environmentProxy(entry.server, environment);
    if (proxy) this.proxy = proxy;
  }

  /**
   * @throws DomainError `consent_required`, or `kubeconfig_unusable`
   */
  static async open(entry: ContextEntry, options: AccessOptions): Promise<ContextAccess> {
    const { consent, environment } = options;
    const run = await pluginRun(entry, environment);
    if (run && run.fingerprint !== consent) {
      throw new DomainError(
        'consent_required',
        `Context ${entry.name} runs ${run.command} to sign in. Slipway runs it after you have allowed exactly this command.`,
      );
    }
    const { authority } = entry;
    const known = authority && 'text' in authority && authority.text?.trim() ? authority.text : undefined;
    const ca = known ?? (authority && (await textOfSource(authority, new FileCache(MAX_FILE_BYTES, String))));
    const tls = {
      ...(ca === null ? {} : { ca }),
      ...(entry.serverName === null ? {} : { servername: entry.serverName }),
      ...(entry.insecure ? { rejectUnauthorized: false } : {}),
    };
    const plugin =
      run &&
      entry.plugin &&
      new CredentialPlugin({
        plugin: entry.plugin.plugin,
        path: run.path,
        environment,
        cluster: {
          server: entry.server.href,
          ...(ca === null ? {} : { certificateAuthorityData: Buffer.from(ca).toString('base64') }),
          ...(entry.serverName === null ? {} : { tlsServerName: entry.serverName }),
          ...(entry.insecure ? { insecureSkipTlsVerify: true } : {}),
          ...(entry.proxy ? { proxyUrl: entry.proxy.href } : {}),
        },
      });
    return new ContextAccess(entry, tls, plugin ?? undefined, options);
  }

  async credentials(): Promise<ApiCredentials> {
    const { certificate, key, token } = this.entry;
    const [cert, secret, bearer] = await Promise.all(
      [certificate, key, token].map(async (source) =>
        source ? await textOfSource(source, this.files) : undefined,
      ),
    );
    if (this.plugin && cert === undefined && bearer === undefined) {
      return await this.pluginCredentials(this.plugin);
    }
    const parts = JSON.stringify([cert, secret, bearer]);
    if (this.known?.parts !== parts) {
      const { basic } = this.entry;
      const authorization = basic
        ? `Basic ${Buffer.from(`${basic.username}:${basic.password}`).toString('base64')}`
        : bearerOf(this.entry.name, bearer);
      this.known = { parts, credentials: this.credentialsOf(cert, secret, authorization) };
    }
    return this.known.credentials;
  }

  refused(credentials: ApiCredentials): boolean {
    const { fromPlugin } = this;
    if (fromPlugin?.credentials !== credentials) {
      // Another request may have replaced them meanwhile.
      return (fromPlugin ?? this.known)?.credentials !== credentials;
    }
    // A server that has just rejected new credentials too would reject the next ones.
    if (performance.now() - this.forgottenAt < FORGET_MS) return false;
    this.forgottenAt = performance.now();
    this.plugin?.forget(fromPlugin.found);
    return true;
  }

  async kubeconfigText(): Promise<string> {
    const { name, serverName, insecure, impersonate, basic } = this.entry;
    const { certificate, key, headers } = await this.credentials();
    const { ca } = this.tls;
    const token = /^Bearer (.*)$/.exec(String(headers['authorization'] ?? ''))?.[1];
    const base64 = (text: string | Buffer | undefined): string | undefined =>
      text === undefined ? undefined : Buffer.from(text).toString('base64');
    return singleKubeconfig(
      name,
      {
        server: this.server.href,
        'certificate-authority-data': base64(ca),
        'tls-server-name': serverName ?? undefined,
        'insecure-skip-tls-verify': insecure || undefined,
        'proxy-url': this.proxy?.href,
      },
      {
        'client-certificate-data': base64(certificate),
        'client-key-data': base64(key),
        token,
        ...basic,
        as: impersonate?.user,
        'as-groups': impersonate?.groups,
        'as-uid': impersonate?.uid ?? undefined,
      },
    );
  }

  /** Runs a plugin again that has just failed. */
  retry(): void {
    this.failure = undefined;
  }

  /** Ends a plugin that runs, and forgets its token. */
  close(): void {
    this.isClosed = true;
    this.unmaskLater();
    this.plugin?.close();
  }

  private async pluginCredentials(plugin: CredentialPlugin): Promise<ApiCredentials> {
    if (this.failure && performance.now() - this.failure.at < FAILED_MS) throw this.failure.error;
    const found = await plugin.credentials().catch((error: unknown) => {
      this.failure = { at: performance.now(), error: error as Error };
      throw error;
    });
    this.failure = undefined;
    if (this.fromPlugin?.found !== found) {
      const authorization = bearerOf(this.entry.name, found.token);
      this.fromPlugin = {
        found,
        credentials: this.credentialsOf(found.certificate, found.key, authorization),
      };
    }
    return this.fromPlugin.credentials;
  }

  private mask(secret: string): void {
    if (this.isClosed) return;
    const { basic, token } = this.entry;
    // Secrets of the kubeconfig are masked for good: they are valid until someone changes both the kubeconfig and the server.
    if (basic || (token && 'data' in token)) registerSecret(secret);
    else {
      this.unmaskLater();
      this.unmask = registerSecret(secret);
    }
  }

  private unmaskLater(): void {
    if (this.unmask) guardedTimeout(this.unmask, REPLACED_MS, 'unmask a token').unref();
    this.unmask = undefined;
  }

  private credentialsOf(
    certificate: string | undefined,
    key: string | undefined,
    authorization: string | undefined,
  ): ApiCredentials {
    const { impersonate } = this.entry;
    if (authorization !== undefined) this.mask(authorization.replace(/^\w+ /, ''));
    return {
      ...(certificate === undefined || key === undefined ? {} : { certificate, key }),
      headers: {
        ...(authorization === undefined ? {} : { authorization }),
        ...(impersonate && {
          'impersonate-user': impersonate.user,
          ...(impersonate.groups.length > 0 ? { 'impersonate-group': impersonate.groups } : {}),
          ...(impersonate.uid === null ? {} : { 'impersonate-uid': impersonate.uid }),
        }),
      },
    };
  }
}

/** The command of the plugin of a context; undefined without a plugin. @throws DomainError `kubeconfig_unusable` */
export async function pluginRun(
  entry: ContextEntry,
  environment: Environment,
): Promise<PluginRun | undefined> {
  if (!entry.plugin || !runsPlugin(entry)) return undefined;
  const { plugin, folder } = entry.plugin;
  try {
    const path = await resolvePlugin(plugin, folder, environment['PATH']);
    const { command, args, env } = plugin;
    return { command, args, env, path, fingerprint: pluginFingerprint(plugin, path) };
  } catch (error) {
    if (error instanceof DomainError) throw error;
    throw new DomainError('kubeconfig_unusable', reasonOf(error));
  }
}

/** @throws DomainError `kubeconfig_unusable` */
async function textOfSource(source: Source, files: FileCache<string>): Promise<string> {
  if ('data' in source) return source.data;
  const text = await files.read(source.file).catch((error: unknown) => {
    const problem = fileFailure(error) ?? reasonOf(error);
    throw new DomainError('kubeconfig_unusable', `Could not read ${source.file}: ${problem}.`);
  });
  if (text !== undefined && text.trim() !== '') return text;
  throw new DomainError(
    'kubeconfig_unusable',
    text === undefined ? `${source.file} does not exist.` : `${source.file} is empty.`,
  );
}

/** @throws DomainError `kubeconfig_unusable` */
function bearerOf(name: string, token: string | undefined): string | undefined {
  if (token === undefined) return undefined;
  // Files of tokens often end with a line break.
  const trimmed = token.trim();
  if (TOKEN.test(trimmed)) return `Bearer ${trimmed}`;
  throw new DomainError(
    'kubeconfig_unusable',
    `The token of context ${name} has characters that no token has.`,
  );
}
