import { createHash } from 'node:crypto';
import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { stringify as writeYaml } from '../../../core/yaml/index.js';
import { DomainError } from '../../../core/errors/index.js';
import { writeFileAtomically } from '../../../core/storage/index.js';
import { CommandError, type ProcessResult } from '../../process/index.js';
import { isAllowedHost, problemOfAddress } from '../../registry/index.js';
import { readChartArchive } from '../chart-archive.js';
import type {
  Chart,
  ChartRepository,
  ChartSource,
  OfferedChart,
  RepositoryCredentials,
} from '../package-manager.js';
import type { HelmCommand } from './helm-command.js';
import { downloadFailure } from './helm-failures.js';
import { chartsIn } from './helm-responses.js';

const DOWNLOAD_TIMEOUT_MS = 60_000;
const INDEX_MAX_AGE_MS = 10 * 60_000;
const CHART_MAX_AGE_MS = 24 * 3_600_000;
const MAX_CHARTS = 40;
const MAX_VERSIONS = 50;
/** helm requires a name for a repository. */
const NAME = 'slipway';

type RemoteSource = Exclude<ChartSource, { type: 'archive' }>;

/**
 * Downloads and caches charts and indexes.
 *
 * helm downloads them, so only the URL of the repository is checked: it may redirect, its index may contain URLs of other
 * hosts, and its name may resolve to another address later. Adding a repository means to trust it with that.
 * Credentials are only sent to the host of the repository.
 */
export class ChartCache {
  constructor(
    private readonly helm: HelmCommand,
    private readonly folder: string,
    private readonly allowedHosts: readonly string[],
  ) {}

  async offered(repository: ChartRepository): Promise<OfferedChart[]> {
    const args = ['search', 'repo', `${NAME}/`, '--versions', '--output=json'];
    const { stdout } = await this.withIndex(repository, undefined, (flags) =>
      this.helm.run({ args: [...args, ...flags] }),
    );
    const charts = new Map<string, OfferedChart>();
    for (const { name, version, app_version: appVersion, description = '' } of chartsIn(stdout)) {
      const chart = name.slice(NAME.length + 1);
      const known = charts.get(chart) ?? { name: chart, versions: [], description };
      if (known.versions.length < MAX_VERSIONS) {
        known.versions.push({ version, appVersion: appVersion || null });
      }
      charts.set(chart, known);
    }
    return [...charts.values()];
  }

  async chart(source: ChartSource, signal?: AbortSignal): Promise<Chart> {
    if (source.type === 'archive') return await readChartArchive(source.file);
    const file = join(this.chartFolder, `${fingerprint(source)}.tgz`);
    if (source.version === undefined || !(await isFresh(file, CHART_MAX_AGE_MS))) {
      await this.helm.withFolder((folder) => this.pull(source, folder, file, signal));
      await this.removeOldest();
    }
    return await readChartArchive(file);
  }

  private get chartFolder(): string {
    return join(this.folder, 'charts');
  }

  private async pull(
    source: RemoteSource,
    folder: string,
    file: string,
    signal?: AbortSignal,
  ): Promise<void> {
    const { version } = source;
    const what = nameOf(source);
    const args = ['pull', `--destination=${folder}`];
    if (version !== undefined) args.push(`--version=${version}`);
    if (source.type === 'registry') {
      const url = new URL(source.reference);
      await this.assertAllowed(url);
      const config = join(folder, 'registry.json');
      await writeFileAtomically(config, registryConfig(url.host, source.credentials));
      // Without TLS only for hosts that are explicitly allowed.
      if (isAllowedHost(url, this.allowedHosts)) args.push('--plain-http');
      args.push(`--registry-config=${config}`, '--', source.reference);
      await this.download(args, what, url.host, signal);
    } else {
      await this.withIndex(source.repository, signal, (flags) => {
        args.push(...flags, '--', `${NAME}/${source.chart}`);
        return this.download(args, what, source.repository.url, signal);
      });
    }
    const name = (await readdir(folder)).find((entry) => entry.endsWith('.tgz'));
    if (name === undefined) throw new DomainError('chart_not_found', `helm downloaded nothing for ${what}.`);
    await mkdir(this.chartFolder, { recursive: true, mode: 0o700 });
    await rename(join(folder, name), file);
  }

  /** Calls `work` with the flags for a repository whose index is up to date. */
  private async withIndex<T>(
    { url, credentials }: ChartRepository,
    signal: AbortSignal | undefined,
    work: (flags: readonly string[]) => Promise<T>,
  ): Promise<T> {
    await this.assertAllowed(new URL(url));
    const cache = join(this.folder, 'indexes', hash(url));
    await mkdir(cache, { recursive: true, mode: 0o700 });
    return await this.helm.withFolder(async (folder) => {
      const config = join(folder, 'repositories.yaml');
      const repositories = [{ name: NAME, url, ...credentials }];
      await writeFileAtomically(config, writeYaml({ apiVersion: '', repositories }));
      const flags = [`--repository-config=${config}`, `--repository-cache=${cache}`];
      if (!(await isFresh(join(cache, `${NAME}-index.yaml`), INDEX_MAX_AGE_MS))) {
        await this.download(['repo', 'update', ...flags, '--', NAME], 'index', url, signal);
      }
      return await work(flags);
    });
  }

  private async download(
    args: readonly string[],
    what: string,
    from: string,
    signal?: AbortSignal,
  ): Promise<ProcessResult> {
    try {
      const result = await this.helm.run({ args, tracking: { signal }, timeoutMs: DOWNLOAD_TIMEOUT_MS });
      // helm 3 exits with 0 if it cannot update an index.
      if (!/Unable to get an update/.test(result.stdout)) return result;
      throw new CommandError({ program: 'helm', args: [], failure: 'failed', ...result });
    } catch (error) {
      throw error instanceof CommandError ? downloadFailure(error, what, from) : error;
    }
  }

  private async assertAllowed(url: URL): Promise<void> {
    const problem = await problemOfAddress(url, this.allowedHosts);
    if (problem !== null) {
      throw new DomainError(
        'repository_unreachable',
        `The URL of ${url.host} is not allowed: it ${problem}.`,
      );
    }
  }

  private async removeOldest(): Promise<void> {
    const files = await Promise.all(
      (await readdir(this.chartFolder)).map(async (name) => {
        const file = join(this.chartFolder, name);
        return { file, at: (await stat(file)).mtimeMs };
      }),
    );
    for (const { file } of files.sort((one, other) => other.at - one.at).slice(MAX_CHARTS)) {
      await rm(file, { force: true });
    }
  }
}

function nameOf(source: RemoteSource): string {
  const name = source.type === 'registry' ? source.reference : `chart ${source.chart}`;
  return source.version === undefined ? name : `${name} ${source.version}`;
}

function fingerprint(source: RemoteSource): string {
  const { url, credentials } =
    source.type === 'registry' ? { url: source.reference, ...source } : source.repository;
  const chart = source.type === 'registry' ? '' : source.chart;
  return hash(JSON.stringify([url, chart, source.version ?? null, credentials?.username ?? null]));
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}

/** A Docker config. An empty one prevents the use of the user's own. */
function registryConfig(host: string, credentials: RepositoryCredentials | undefined): string {
  if (!credentials) return JSON.stringify({ auths: {} });
  const auth = Buffer.from(`${credentials.username}:${credentials.password}`).toString('base64');
  return JSON.stringify({ auths: { [host]: { auth } } });
}

async function isFresh(file: string, maxAgeMs: number): Promise<boolean> {
  const found = await stat(file).catch(() => undefined);
  return found !== undefined && Date.now() - found.mtimeMs < maxAgeMs;
}
