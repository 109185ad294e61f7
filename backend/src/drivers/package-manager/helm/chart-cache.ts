import { createHash } from 'node:crypto';
import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { stringify as writeYaml } from '../../../core/yaml/index.js';
import { DomainError } from '../../../core/errors/index.js';
import { writeFileAtomically } from '../../../core/storage/index.js';
import { CommandError } from '../../process/index.js';
import { problemOfAddress } from '../../registry/index.js';
import { readChartArchive } from '../chart-archive.js';
import type {
  Chart,
  ChartRepository,
  ChartSource,
  OfferedChart,
  RepositoryCredentials,
} from '../package-manager.js';
import type { HelmCommand } from './helm-command.js';
import { fetchFailure } from './helm-failures.js';

const FETCH_TIMEOUT_MS = 60_000;
/** How long a list of what a repository offers is taken for true. */
const INDEX_FRESH_MS = 10 * 60_000;
/** How long a chart that was fetched is taken for the one that would be fetched now. */
const CHART_FRESH_MS = 24 * 3_600_000;
const KEPT_CHARTS = 40;
const VERSIONS_TOLD = 50;
/** What a repository is called towards helm, which wants a name. */
const NAME = 'slipway';

/**
 * Charts on their way from repositories: indexes and packed charts, kept for a while in the data folder.
 *
 * Helm fetches them, so what it follows by itself is not held: a repository may redirect, its index may name
 * charts elsewhere, and its name may stand for another address a moment after it was looked at. Who adds a
 * repository trusts it so far. Credentials stay with the host that they were given for.
 */
export class ChartCache {
  constructor(
    private readonly helm: HelmCommand,
    private readonly folder: string,
    private readonly allowedHosts: readonly string[],
  ) {}

  async offered(repository: ChartRepository, signal?: AbortSignal): Promise<OfferedChart[]> {
    const args = ['search', 'repo', `${NAME}/`, '--versions', '--output=json'];
    const { stdout } = await this.withIndex(repository, signal, (flags) =>
      this.helm.run({ args: [...args, ...flags], tracking: { signal } }),
    );
    const rows = JSON.parse(stdout) as {
      name: string;
      version: string;
      app_version: string;
      description: string;
    }[];
    const charts = new Map<string, OfferedChart>();
    for (const { name, version, app_version, description } of rows) {
      const chart = name.slice(NAME.length + 1);
      const known = charts.get(chart) ?? { name: chart, versions: [], description };
      if (known.versions.length < VERSIONS_TOLD) {
        known.versions.push({ version, appVersion: app_version || null });
      }
      charts.set(chart, known);
    }
    return [...charts.values()];
  }

  async chart(source: ChartSource, signal?: AbortSignal): Promise<Chart> {
    if (source.type === 'archive') return await readChartArchive(source.file);
    const kept = join(this.folder, 'charts', `${fingerprint(source)}.tgz`);
    if (source.version === undefined || !(await isFresh(kept, CHART_FRESH_MS))) {
      await this.fetch(source, kept, signal);
    }
    return await readChartArchive(kept);
  }

  private async fetch(
    source: Exclude<ChartSource, { type: 'archive' }>,
    kept: string,
    signal?: AbortSignal,
  ): Promise<void> {
    const version = source.version === undefined ? [] : [`--version=${source.version}`];
    await this.helm.withFolder(async (folder) => {
      const pull = async (reference: string, flags: readonly string[]): Promise<void> => {
        await this.helm.run({
          args: ['pull', `--destination=${folder}`, ...version, ...flags, '--', reference],
          tracking: { signal },
          timeoutMs: FETCH_TIMEOUT_MS,
        });
      };
      if (source.type === 'registry') await this.pullFromRegistry(source, folder, pull);
      else {
        await this.withIndex(source.repository, signal, async (flags) => {
          try {
            await pull(`${NAME}/${source.chart}`, flags);
          } catch (error) {
            throw error instanceof CommandError
              ? fetchFailure(error, describe(source), source.repository.url)
              : error;
          }
        });
      }
      const [file] = (await readdir(folder)).filter((name) => name.endsWith('.tgz'));
      if (file === undefined) {
        throw new DomainError('chart_not_found', `helm fetched nothing for ${describe(source)}.`);
      }
      await mkdir(join(this.folder, 'charts'), { recursive: true, mode: 0o700 });
      await rename(join(folder, file), kept);
    });
    await this.dropOldest();
  }

  private async pullFromRegistry(
    source: Extract<ChartSource, { type: 'registry' }>,
    folder: string,
    pull: (reference: string, flags: readonly string[]) => Promise<void>,
  ): Promise<void> {
    const url = new URL(source.reference);
    await this.assertAllowed(url);
    const config = join(folder, 'registry.json');
    await writeFileAtomically(config, registryConfig(url.host, source.credentials));
    // Without TLS only where that was allowed by name.
    const plain = this.isAllowedByName(url) ? ['--plain-http'] : [];
    try {
      await pull(source.reference, [`--registry-config=${config}`, ...plain]);
    } catch (error) {
      throw error instanceof CommandError ? fetchFailure(error, describe(source), url.host) : error;
    }
  }

  /** Gives the flags by which helm knows a repository, its index fetched before. */
  private async withIndex<T>(
    repository: ChartRepository,
    signal: AbortSignal | undefined,
    work: (flags: readonly string[]) => Promise<T>,
  ): Promise<T> {
    const { url, credentials } = repository;
    await this.assertAllowed(new URL(url));
    const cache = join(this.folder, 'indexes', hash(url));
    await mkdir(cache, { recursive: true, mode: 0o700 });
    return await this.helm.withFolder(async (folder) => {
      const config = join(folder, 'repositories.yaml');
      await writeFileAtomically(
        config,
        writeYaml({ apiVersion: '', repositories: [{ name: NAME, url, ...credentials }] }),
      );
      const flags = [`--repository-config=${config}`, `--repository-cache=${cache}`];
      if (!(await isFresh(join(cache, `${NAME}-index.yaml`), INDEX_FRESH_MS))) {
        await this.updateIndex(url, flags, signal);
      }
      return await work(flags);
    });
  }

  private async updateIndex(url: string, flags: readonly string[], signal?: AbortSignal): Promise<void> {
    try {
      const { stdout, stderr } = await this.helm.run({
        args: ['repo', 'update', ...flags, '--', NAME],
        tracking: { signal },
        timeoutMs: FETCH_TIMEOUT_MS,
      });
      // Helm 3 tells it and succeeds.
      if (!/Unable to get an update/.test(stdout)) return;
      throw new CommandError({ program: 'helm', args: [], failure: 'failed', stdout, stderr });
    } catch (error) {
      throw error instanceof CommandError ? fetchFailure(error, 'index', url) : error;
    }
  }

  private async assertAllowed(url: URL): Promise<void> {
    const problem = await problemOfAddress(url, this.allowedHosts);
    if (problem !== null) {
      throw new DomainError('repository_unreachable', `${url.host} is not asked: it ${problem}.`);
    }
  }

  private isAllowedByName({ host, hostname }: URL): boolean {
    return (
      this.allowedHosts.includes(host.toLowerCase()) || this.allowedHosts.includes(hostname.toLowerCase())
    );
  }

  /** Charts are small, and what was not wanted for longest can be fetched again. */
  private async dropOldest(): Promise<void> {
    const folder = join(this.folder, 'charts');
    const files = await Promise.all(
      (await readdir(folder)).map(async (name) => ({ name, at: (await stat(join(folder, name))).mtimeMs })),
    );
    for (const { name } of files.sort((one, other) => other.at - one.at).slice(KEPT_CHARTS)) {
      await rm(join(folder, basename(name)), { force: true });
    }
  }
}

function describe(source: Exclude<ChartSource, { type: 'archive' }>): string {
  const name = source.type === 'registry' ? source.reference : `chart ${source.chart}`;
  return source.version === undefined ? name : `${name} in version ${source.version}`;
}

function fingerprint(source: Exclude<ChartSource, { type: 'archive' }>): string {
  const place = source.type === 'registry' ? [source.reference] : [source.repository.url, source.chart];
  const user = (source.type === 'registry' ? source.credentials : source.repository.credentials)?.username;
  return hash(JSON.stringify([...place, source.version ?? null, user ?? null]));
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}

/** In Docker's own form, which helm reads; one without sign-ins keeps it from the user's. */
function registryConfig(host: string, credentials: RepositoryCredentials | undefined): string {
  if (!credentials) return JSON.stringify({ auths: {} });
  const auth = Buffer.from(`${credentials.username}:${credentials.password}`).toString('base64');
  return JSON.stringify({ auths: { [host]: { auth } } });
}

async function isFresh(file: string, forMs: number): Promise<boolean> {
  const found = await stat(file).catch(() => undefined);
  return found !== undefined && Date.now() - found.mtimeMs < forMs;
}
