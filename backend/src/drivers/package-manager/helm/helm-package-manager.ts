import { join } from 'node:path';
import { stringify as writeYaml } from '../../../core/yaml/index.js';
import type { ClusterTarget } from '../../kubernetes/index.js';
import { CommandError, type ProcessRunner } from '../../process/index.js';
import {
  PackageManager,
  RELEASE_STATUSES,
  type Chart,
  type ChartRepository,
  type ChartRequest,
  type ChartSource,
  type OfferedChart,
  type OperationOptions,
  type PackageManagerStatus,
  type PreviewRequest,
  type Release,
  type ReleaseContents,
  type ReleaseName,
  type ReleaseRevision,
  type ReleaseStatus,
  type RenderRequest,
} from '../package-manager.js';
import { ChartCache } from './chart-cache.js';
import { HelmCommand, type HelmCall } from './helm-command.js';
import { refusal } from './helm-failures.js';
import { HelmProgram } from './helm-program.js';

/** It still has to write down how it ended. */
const PATIENCE_MS = 30_000;
/** RFC 3339 in Go's way of telling a format. */
const TIME_FORMAT = '2006-01-02T15:04:05Z07:00';

interface ListedRelease {
  name: string;
  namespace: string;
  revision: string;
  updated: string;
  status: string;
  chart: string;
  app_version: string;
}

type ListedRevision = Omit<ListedRelease, 'name' | 'namespace' | 'revision'> & {
  revision: number;
  description: string;
};

/**
 * The helm program, of its third and fourth major version.
 *
 * Both take the same calls but for the few forms that `version` decides. What helm prints of an operation is not
 * read: how a release stands is asked afterwards.
 */
export class HelmPackageManager extends PackageManager {
  override readonly kind = 'kind';
  private readonly program: HelmProgram;
  private readonly helm: HelmCommand;
  private readonly shelf: ChartCache;

  /**
   * @param folder of its own, for homes, indexes and charts.
   * @param allowedHosts places of charts on loopback or private addresses that may be asked (`APP_CHART_HOSTS`).
   * @param patienceMs after which a helm is ended that has not ended by itself, beyond what it was told to wait.
   */
  constructor(
    processes: ProcessRunner,
    folder: string,
    allowedHosts: readonly string[] = [],
    private readonly patienceMs = PATIENCE_MS,
  ) {
    super();
    this.program = new HelmProgram(processes);
    this.helm = new HelmCommand(processes, folder);
    this.shelf = new ChartCache(this.helm, join(folder, 'shelf'), allowedHosts);
  }

  override status(): Promise<PackageManagerStatus> {
    return this.program.status();
  }

  /** Removes what an earlier run left of calls that it did not live to end: kubeconfigs and values. */
  async removeLeft(): Promise<void> {
    await this.helm.removeLeft();
  }

  override async offered(repository: ChartRepository, signal?: AbortSignal): Promise<OfferedChart[]> {
    await this.program.version();
    return await this.shelf.offered(repository, signal);
  }

  override async chart(source: ChartSource, signal?: AbortSignal): Promise<Chart> {
    if (source.type !== 'archive') await this.program.version();
    return await this.shelf.chart(source, signal);
  }

  override async list(cluster: ClusterTarget): Promise<Release[]> {
    const { major } = await this.program.version();
    // Helm 4 lists every state and knows no flag for it; helm 3 leaves out those that are pending.
    const all = major === 3 ? ['--all'] : [];
    const { stdout } = await this.helm.run({
      args: ['list', '--all-namespaces', ...all, '--max=0', `--time-format=${TIME_FORMAT}`, '--output=json'],
      cluster,
    });
    return (JSON.parse(stdout) as ListedRelease[])
      .filter(({ status }) => status !== 'uninstalled' && status !== 'superseded')
      .map((listed) => ({
        release: listed.name,
        namespace: listed.namespace,
        ...revisionOf({ ...listed, revision: Number(listed.revision) }),
      }));
  }

  override async history(cluster: ClusterTarget, name: ReleaseName): Promise<ReleaseRevision[]> {
    const { stdout } = await this.ask(cluster, name, ['history', '--max=256', '--output=json']);
    return (JSON.parse(stdout) as ListedRevision[])
      .map((listed) => ({ ...revisionOf(listed), description: listed.description }))
      .sort((one, other) => other.revision - one.revision);
  }

  override async contents(
    cluster: ClusterTarget,
    name: ReleaseName,
    revision?: number,
  ): Promise<ReleaseContents> {
    const flag = revision === undefined ? [] : [`--revision=${revision}`];
    const [status, computed] = await Promise.all([
      this.ask(cluster, name, ['status', ...flag, '--output=json']),
      this.ask(cluster, name, ['get', 'values', '--all', ...flag, '--output=yaml']),
    ]);
    const { config, info, manifest } = JSON.parse(status.stdout) as {
      config?: Record<string, unknown> | null;
      info?: { notes?: string };
      manifest?: string;
    };
    const given = config && Object.keys(config).length > 0;
    return {
      values: given ? writeYaml(config, { lineWidth: 0 }) : '',
      computedValues: /^(null|\{\})\s*$/.test(computed.stdout) ? '' : computed.stdout,
      notes: (info?.notes ?? '').trim(),
      manifest: manifest ?? '',
    };
  }

  override async render(cluster: ClusterTarget, request: RenderRequest): Promise<string> {
    await this.program.version();
    try {
      return (await this.helm.run({ ...template(request, '--dry-run=server'), cluster })).stdout;
    } catch (error) {
      if (!(error instanceof CommandError)) throw error;
      // Definitions that a chart brings are there only once it is installed, and its objects of them unknown
      // until then. Helm and the cluster have agreed on everything before.
      if (/no matches for kind|resource mapping not found/.test(error.stderr)) {
        return (await this.helm.run(template(request, ...withoutCluster(request)))).stdout;
      }
      throw refusal(error, request) ?? error;
    }
  }

  override async preview(request: PreviewRequest): Promise<string> {
    await this.program.version();
    const { apiVersions } = request;
    const served = apiVersions.length === 0 ? [] : [`--api-versions=${apiVersions.join(',')}`];
    try {
      return (await this.helm.run(template(request, ...withoutCluster(request), ...served))).stdout;
    } catch (error) {
      throw (error instanceof CommandError && refusal(error, request)) || error;
    }
  }

  override async install(
    cluster: ClusterTarget,
    request: ChartRequest,
    options: OperationOptions,
  ): Promise<void> {
    await this.operate(
      cluster,
      request,
      ['install', '--create-namespace', '--hide-notes'],
      [request.release, archiveOf(request.chart)],
      options,
      request.values,
    );
  }

  override async upgrade(
    cluster: ClusterTarget,
    request: ChartRequest,
    options: OperationOptions,
  ): Promise<void> {
    await this.operate(
      cluster,
      request,
      // Without this, helm would take the values before where none are given.
      ['upgrade', '--reset-values', '--hide-notes'],
      [request.release, archiveOf(request.chart)],
      options,
      request.values,
    );
  }

  override async rollback(
    cluster: ClusterTarget,
    name: ReleaseName,
    revision: number,
    options: OperationOptions,
  ): Promise<void> {
    await this.operate(cluster, name, ['rollback'], [name.release, String(revision)], options);
  }

  override async uninstall(
    cluster: ClusterTarget,
    name: ReleaseName,
    options: OperationOptions,
  ): Promise<void> {
    await this.operate(cluster, name, ['uninstall', '--ignore-not-found'], [name.release], options);
  }

  private async operate(
    cluster: ClusterTarget,
    name: ReleaseName,
    verb: readonly string[],
    positional: readonly string[],
    { tracking, timeoutMs }: OperationOptions,
    values?: string,
  ): Promise<void> {
    await this.program.version();
    const seconds = Math.ceil(timeoutMs / 1000);
    try {
      await this.helm.run({
        // A bare `--wait` is what both majors take: a switch to the third, the default strategy to the fourth.
        args: [
          ...verb,
          `--namespace=${name.namespace}`,
          '--wait',
          `--timeout=${seconds}s`,
          '--',
          ...positional,
        ],
        cluster,
        ...(values === undefined ? {} : { values }),
        tracking,
        timeoutMs: timeoutMs + this.patienceMs,
      });
    } catch (error) {
      throw (error instanceof CommandError && error.failure === 'failed' && refusal(error, name)) || error;
    }
  }

  private async ask(
    cluster: ClusterTarget,
    name: ReleaseName,
    args: readonly string[],
  ): Promise<{ stdout: string }> {
    await this.program.version();
    try {
      return await this.helm.run({
        args: [...args, `--namespace=${name.namespace}`, '--', name.release],
        cluster,
      });
    } catch (error) {
      throw (error instanceof CommandError && refusal(error, name)) || error;
    }
  }
}

function template(
  { chart, release, namespace, values, upgrade }: RenderRequest,
  ...mode: readonly string[]
): HelmCall {
  return {
    args: [
      'template',
      `--namespace=${namespace}`,
      '--no-hooks',
      '--skip-tests',
      ...(upgrade ? ['--is-upgrade'] : []),
      ...mode,
      '--',
      release,
      archiveOf(chart),
    ],
    values,
  };
}

function withoutCluster({ kubernetes }: RenderRequest): string[] {
  return ['--dry-run=client', ...(kubernetes === null ? [] : [`--kube-version=${kubernetes}`])];
}

function archiveOf({ source }: Chart): string {
  if (source.type !== 'archive') throw new Error('helm installs charts that it has fetched');
  return source.file;
}

function revisionOf(
  listed: ListedRevision | Omit<ListedRevision, 'description'>,
): Omit<ReleaseRevision, 'description'> {
  const { chart, status } = listed;
  // `cert-manager-v1.21.1`: a name may have hyphens and digits, so the version is what looks like one.
  const split = /^(.+?)-(v?\d+\.\d+\.\d+(?:[-+].*)?)$/.exec(chart);
  const known: ReleaseStatus | undefined = RELEASE_STATUSES.find((word) => word === status);
  return {
    revision: listed.revision,
    status: known ?? 'unknown',
    chart: split?.[1] ?? chart,
    version: split?.[2] ?? '',
    appVersion: listed.app_version || null,
    updatedAt: timeOf(listed.updated),
  };
}

function timeOf(text: string): string {
  const time = new Date(text);
  return Number.isNaN(time.getTime()) ? new Date(0).toISOString() : time.toISOString();
}
