import { join } from 'node:path';
import type { ApiRoute, ClusterTarget } from '../../kubernetes/index.js';
import { CommandError, type ProcessRunner } from '../../process/index.js';
import {
  PackageManager,
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
  type RenderRequest,
} from '../package-manager.js';
import { ChartCache } from './chart-cache.js';
import { HelmCommand, type HelmCall } from './helm-command.js';
import { operationFailure } from './helm-failures.js';
import { contentsIn, releasesIn, revisionsIn } from './helm-responses.js';
import { HelmProgram } from './helm-program.js';

/** helm still has to store the result after its own timeout. */
const EXTRA_MS = 30_000;
/** RFC 3339 in Go's format. */
const TIME_FORMAT = '2006-01-02T15:04:05Z07:00';

interface HelmOptions {
  /** Internal hosts that may provide charts (`APP_CHART_HOSTS`). */
  allowedHosts?: readonly string[];
  /** How long helm may run beyond its own timeout. */
  extraMs?: number;
  route?: ApiRoute;
}

/** Uses helm 3 or 4. The output of operations is not parsed: the state of a release is read afterwards. */
export class HelmPackageManager extends PackageManager {
  override readonly kind = 'kind';
  private readonly program: HelmProgram;
  private readonly helm: HelmCommand;
  private readonly charts: ChartCache;
  private readonly extraMs: number;

  /**
   * @param folder for helm's configuration and caches.
   */
  constructor(
    processes: ProcessRunner,
    folder: string,
    { allowedHosts = [], extraMs = EXTRA_MS, route }: HelmOptions = {},
  ) {
    super();
    this.extraMs = extraMs;
    this.program = new HelmProgram(processes);
    this.helm = new HelmCommand(processes, folder, route);
    this.charts = new ChartCache(this.helm, join(folder, 'cache', 'charts'), allowedHosts);
  }

  override status(): Promise<PackageManagerStatus> {
    return this.program.status();
  }

  /** Removes kubeconfigs and values of calls that a crash interrupted. */
  async removeLeftovers(): Promise<void> {
    await this.helm.removeLeftovers();
  }

  override async offered(repository: ChartRepository): Promise<OfferedChart[]> {
    await this.program.majorVersion();
    return await this.charts.offered(repository);
  }

  override async chart(source: ChartSource, signal?: AbortSignal): Promise<Chart> {
    if (source.type !== 'archive') await this.program.majorVersion();
    return await this.charts.chart(source, signal);
  }

  override async list(cluster: ClusterTarget): Promise<Release[]> {
    // helm 4 lists releases in all states and does not support `--all`.
    const all = (await this.program.majorVersion()) === 3 ? ['--all'] : [];
    const { stdout } = await this.helm.run({
      args: ['list', '--all-namespaces', ...all, '--max=0', `--time-format=${TIME_FORMAT}`, '--output=json'],
      cluster,
    });
    return releasesIn(stdout);
  }

  override async history(cluster: ClusterTarget, name: ReleaseName): Promise<ReleaseRevision[]> {
    const { stdout } = await this.query(cluster, name, ['history', '--max=256', '--output=json']);
    return revisionsIn(stdout);
  }

  override async contents(
    cluster: ClusterTarget,
    name: ReleaseName,
    revision?: number,
  ): Promise<ReleaseContents> {
    const flag = revision === undefined ? [] : [`--revision=${revision}`];
    const [status, computed] = await Promise.all([
      this.query(cluster, name, ['status', ...flag, '--output=json']),
      this.query(cluster, name, ['get', 'values', '--all', ...flag, '--output=yaml']),
    ]);
    return {
      ...contentsIn(status.stdout),
      computedValues: /^(null|\{\})\s*$/.test(computed.stdout) ? '' : computed.stdout,
    };
  }

  override async render(cluster: ClusterTarget, request: RenderRequest): Promise<string> {
    await this.program.majorVersion();
    try {
      return (await this.helm.run({ ...template(request, '--dry-run=server'), cluster })).stdout;
    } catch (error) {
      if (!(error instanceof CommandError)) throw error;
      // The CRDs of the chart do not exist before its installation. All other checks have passed.
      if (/no matches for kind|resource mapping not found/.test(error.stderr)) {
        return (await this.helm.run(template(request, ...withoutCluster(request)))).stdout;
      }
      throw explained(error, request);
    }
  }

  override async preview(request: PreviewRequest): Promise<string> {
    await this.program.majorVersion();
    const { apiVersions } = request;
    const served = apiVersions.length === 0 ? [] : [`--api-versions=${apiVersions.join(',')}`];
    try {
      return (await this.helm.run(template(request, ...withoutCluster(request), ...served))).stdout;
    } catch (error) {
      throw explained(error, request);
    }
  }

  override install(cluster: ClusterTarget, request: ChartRequest, options: OperationOptions): Promise<void> {
    return this.applyChart(cluster, request, ['install', '--create-namespace'], options);
  }

  override upgrade(cluster: ClusterTarget, request: ChartRequest, options: OperationOptions): Promise<void> {
    // By default, helm would reuse the previous values if none are given.
    return this.applyChart(cluster, request, ['upgrade', '--reset-values'], options);
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
    const verb = ['uninstall', '--ignore-not-found', ...(options.noHooks === true ? ['--no-hooks'] : [])];
    await this.operate(cluster, name, verb, [name.release], options);
  }

  private async applyChart(
    cluster: ClusterTarget,
    request: ChartRequest,
    verb: readonly string[],
    options: OperationOptions,
  ): Promise<void> {
    const positional = [request.release, archiveOf(request.chart)];
    await this.operate(cluster, request, [...verb, '--hide-notes'], positional, options, request.values);
  }

  private async operate(
    cluster: ClusterTarget,
    name: ReleaseName,
    verb: readonly string[],
    positional: readonly string[],
    { tracking, timeoutMs }: OperationOptions,
    values?: string,
  ): Promise<void> {
    await this.program.majorVersion();
    const seconds = Math.ceil(timeoutMs / 1000);
    try {
      await this.helm.run({
        // Both major versions accept `--wait` without a value: a flag in 3, the default strategy in 4.
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
        timeoutMs: timeoutMs + this.extraMs,
      });
    } catch (error) {
      throw explained(error, name);
    }
  }

  private async query(
    cluster: ClusterTarget,
    name: ReleaseName,
    args: readonly string[],
  ): Promise<{ stdout: string }> {
    await this.program.majorVersion();
    try {
      return await this.helm.run({
        args: [...args, `--namespace=${name.namespace}`, '--', name.release],
        cluster,
      });
    } catch (error) {
      throw explained(error, name);
    }
  }
}

function explained(error: unknown, name: ReleaseName): unknown {
  return (error instanceof CommandError && operationFailure(error, name)) || error;
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
  if (source.type !== 'archive') throw new Error('the chart has not been downloaded');
  return source.file;
}
