import {
  decisiveSentence,
  DomainError,
  pathFailure,
  reasonOf,
  type ErrorCode,
} from '../../core/errors/index.js';
import { redact } from '../../core/logging/index.js';
import { runExecutable, type ExecutableResult } from '../process/index.js';
import { credentialsIn, type PluginCredentials } from './exec-credential.js';
import { pluginName, type ExecPlugin } from './exec-plugin.js';

const DEADLINE_MS = 30_000;
const OUTPUT_LIMIT = 1_000_000;
/** Credentials are not used for a request that may arrive after their expiry. */
const MARGIN_MS = 10_000;
/** Words of stdout that may be a secret. */
const SECRET_LENGTH = 12;

/** Variables that the plugin inherits: for the user's settings, proxies and clouds. All others are withheld. */ // cspell:ignore cloudsdk
const PASSED_ON = new Set([
  ...['PATH', 'HOME', 'USER', 'LOGNAME', 'LANG', 'TMPDIR', 'DBUS_SESSION_BUS_ADDRESS'],
  ...['HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY', 'ALL_PROXY'],
  ...['http_proxy', 'https_proxy', 'no_proxy', 'all_proxy'],
]);
const PASSED_ON_PREFIXES = ['LC_', 'XDG_', 'AWS_', 'AZURE_', 'AAD_', 'CLOUDSDK_', 'GOOGLE_'];

const SIGN_IN =
  'If it requires you to sign in, do so on a terminal, for example with `kubectl --context NAME get --raw /version`, and check the cluster again.';

/** The cluster for a plugin with `provideClusterInfo`, with the values of the kubeconfig. */
interface PluginCluster {
  server: string;
  /** PEM in Base64. */
  certificateAuthorityData?: string;
  tlsServerName?: string;
  insecureSkipTlsVerify?: boolean;
  proxyUrl?: string;
  /** The cluster's extension `client.authentication.k8s.io/exec`: settings of the plugin for this cluster. */
  config?: unknown;
}

export interface CredentialPluginOptions {
  plugin: ExecPlugin;
  /** The result of `resolvePlugin`. */
  path: string;
  cluster: PluginCluster;
  /** Slipway's own, of which the plugin gets a part. */
  environment: NodeJS.ProcessEnv;
  run?: typeof runExecutable;
  /** In milliseconds since the epoch. */
  now?: () => number;
  /** Default: 30 s. */
  deadlineMs?: number;
}

/**
 * Credentials of one user of a kubeconfig, from a program as kubectl runs it. Unlike in kubectl, the program has no terminal,
 * a deadline and only a part of the environment. It runs in `/`.
 */
export class CredentialPlugin {
  private readonly closing = new AbortController();
  private readonly name: string;
  private readonly deadlineMs: number;
  private cached: PluginCredentials | undefined;
  private running: Promise<PluginCredentials> | undefined;

  constructor(private readonly options: CredentialPluginOptions) {
    this.name = `The credential plugin ${pluginName(options.plugin)}`;
    this.deadlineMs = options.deadlineMs ?? DEADLINE_MS;
  }

  /**
   * Cached until 10 s before they expire; without an expiry until `forget`. Concurrent calls share one run.
   * @throws DomainError: what happened, why, and what to do
   */
  async credentials(): Promise<PluginCredentials> {
    const { cached } = this;
    if (this.closing.signal.aborted) throw this.closedError();
    if (cached && (cached.expiresAt === null || this.now() < cached.expiresAt - MARGIN_MS)) return cached;
    this.running ??= this.run().finally(() => (this.running = undefined));
    return await this.running;
  }

  /**
   * Runs the plugin again at the next call, because the server has responded 401. Does nothing if the credentials were
   * already replaced.
   */
  forget(used: PluginCredentials): void {
    if (this.cached === used) this.cached = undefined;
  }

  /** Kills the plugin if it runs. Later calls fail. */
  close(): void {
    this.cached = undefined;
    this.closing.abort();
  }

  private async run(): Promise<PluginCredentials> {
    const { plugin } = this.options;
    if (plugin.interactiveMode === 'Always') {
      throw this.error(
        'command_unavailable',
        `requires a terminal (interactiveMode: Always), which Slipway does not have. If it also works without one after you have signed in on a terminal, set interactiveMode: IfAvailable in the kubeconfig, and sign in with \`kubectl --context NAME get --raw /version\`.`,
      );
    }
    const result = await this.start();
    this.assertCompleted(result);
    let credentials: PluginCredentials;
    try {
      credentials = credentialsIn(result.stdout, plugin.apiVersion, this.now());
    } catch (error) {
      throw this.error(
        'command_failed',
        `printed no usable credentials: ${reasonOf(error)}. Run it on a terminal to check what it prints.`,
      );
    }
    return (this.cached = credentials);
  }

  private async start(): Promise<ExecutableResult> {
    const { path, plugin, run = runExecutable } = this.options;
    try {
      return await run({
        path,
        args: plugin.args,
        environment: this.childEnvironment(),
        timeoutMs: this.deadlineMs,
        outputLimit: OUTPUT_LIMIT,
        signal: this.closing.signal,
      });
    } catch (error) {
      const why = `could not be started: ${pathFailure(error)}. Check exec in the kubeconfig.`;
      throw this.error('command_unavailable', why);
    }
  }

  private assertCompleted(result: ExecutableResult): void {
    if (this.closing.signal.aborted) throw this.closedError();
    if (result.stopped === null && result.exitCode === 0) return;
    const reason = reasonIn(result);
    if (result.stopped === 'timed-out') {
      const last = reason && ` Its last message: ${reason}.`;
      const limit = `did not end within ${this.deadlineMs / 1000} s and was stopped.`;
      throw this.error('command_unavailable', `${limit}${last} ${SIGN_IN}`);
    }
    if (result.stopped !== null) {
      throw this.error(
        'command_failed',
        'printed more than 1 MB and was stopped. Run it on a terminal to check what it prints.',
      );
    }
    const how =
      result.exitCode === null ? 'was ended by a signal' : `failed with exit status ${result.exitCode}`;
    throw this.error('command_failed', `${how}${reason && `: ${reason}`}. ${SIGN_IN}`);
  }

  private childEnvironment(): Record<string, string> {
    const { plugin, cluster, environment } = this.options;
    const passed: Record<string, string> = {};
    for (const [name, value] of Object.entries(environment)) {
      const isListed = PASSED_ON.has(name) || PASSED_ON_PREFIXES.some((prefix) => name.startsWith(prefix));
      if (value !== undefined && isListed) passed[name] = value;
    }
    for (const { name, value } of plugin.env) passed[name] = value;
    const spec = { ...(plugin.provideClusterInfo && { cluster: clusterInfo(cluster) }), interactive: false };
    const info = { kind: 'ExecCredential', apiVersion: plugin.apiVersion, spec };
    return { ...passed, KUBERNETES_EXEC_INFO: JSON.stringify(info) };
  }

  private now(): number {
    return (this.options.now ?? Date.now)();
  }

  private closedError(): DomainError {
    return this.error(
      'command_unavailable',
      'was stopped, because the connection to the cluster was closed.',
    );
  }

  private error(code: ErrorCode, rest: string): DomainError {
    return new DomainError(code, `${this.name} ${rest}`);
  }
}

/** With the field names of the API group; `config` is always there. */
function clusterInfo(cluster: PluginCluster): Record<string, unknown> {
  return {
    server: cluster.server,
    'tls-server-name': cluster.tlsServerName,
    'insecure-skip-tls-verify': cluster.insecureSkipTlsVerify,
    'certificate-authority-data': cluster.certificateAuthorityData,
    'proxy-url': cluster.proxyUrl,
    config: cluster.config ?? null,
  };
}

/** Why the plugin failed, in its own words, without anything that may be a secret. */
function reasonIn({ stdout, stderr }: ExecutableResult): string {
  let reason = redact(decisiveSentence(stderr));
  for (const word of stdout.split(/["\s]/)) {
    if (word.length >= SECRET_LENGTH) reason = reason.replaceAll(word, '[removed]');
  }
  return reason.replace(/\.$/, '');
}
