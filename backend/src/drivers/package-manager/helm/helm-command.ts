import { randomBytes } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { writeFileAtomically } from '../../../core/storage/index.js';
import { directRoute, type ApiRoute, type ClusterTarget } from '../../kubernetes/index.js';
import {
  CommandError,
  type ProcessResult,
  type ProcessRunner,
  type ProcessTracking,
} from '../../process/index.js';
import { clusterFailure, memoryFailure } from './helm-failures.js';

/** Manifests of large charts, and chart lists of large repositories, have a few megabytes. */
const OUTPUT_LIMIT = 32_000_000;
/** Address space: helm reserves 1.2 GB of it at once, and needs 50 MB of memory for a small chart. */
const MEMORY_MB = 3000;
/** Commands that process a chart. */
const OF_CHARTS: readonly (string | undefined)[] = ['install', 'upgrade', 'template'];
/** helm needs a few requests to mark an aborted release as `failed`. */
const GRACE_MS = 10_000;
const READ_TIMEOUT_MS = 30_000;

export interface HelmCall {
  args: readonly string[];
  cluster?: ClusterTarget;
  /** YAML, passed in a file. */
  values?: string;
  tracking?: ProcessTracking;
  timeoutMs?: number;
}

/** Runs helm. Any user can read command lines, so kubeconfig and values are passed in private, temporary files. */
export class HelmCommand {
  private readonly calls: string;

  constructor(
    private readonly processes: ProcessRunner,
    private readonly folder: string,
    private readonly route: ApiRoute = directRoute,
  ) {
    this.calls = join(folder, 'calls');
  }

  async removeLeftovers(): Promise<void> {
    await rm(this.calls, { recursive: true, force: true });
  }

  async run({
    args,
    cluster,
    values,
    tracking,
    timeoutMs = READ_TIMEOUT_MS,
  }: HelmCall): Promise<ProcessResult> {
    return await this.withFolder(async (folder) => {
      const flags: string[] = [];
      if (cluster) {
        const file = join(folder, 'kubeconfig');
        const access = await this.route(cluster);
        await writeFileAtomically(file, await access.kubeconfigText());
        flags.push(`--kubeconfig=${file}`);
      }
      if (values !== undefined) {
        const file = join(folder, 'values.yaml');
        await writeFileAtomically(file, values);
        flags.push(`--values=${file}`);
      }
      // Arguments after `--` are not flags.
      const end = args.includes('--') ? args.indexOf('--') : args.length;
      try {
        return await this.processes.run({
          program: 'helm',
          args: [...args.slice(0, end), ...flags, ...args.slice(end)],
          // Go collects garbage more often above this.
          environment: { ...this.homes(), GOMEMLIMIT: '1GiB' },
          memoryMb: MEMORY_MB,
          timeoutMs,
          graceMs: GRACE_MS,
          outputLimit: OUTPUT_LIMIT,
          workingDirectory: folder,
          ...tracking,
        });
      } catch (error) {
        if (!(error instanceof CommandError)) throw error;
        const hasChart = OF_CHARTS.includes(args[0]);
        throw memoryFailure(error, hasChart) ?? (cluster && clusterFailure(error, cluster)) ?? error;
      }
    });
  }

  /** Creates a private folder and removes it afterwards. */
  async withFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
    const folder = join(this.calls, randomBytes(8).toString('hex'));
    await mkdir(folder, { recursive: true, mode: 0o700 });
    try {
      return await work(folder);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }

  /** Separate from the user's helm, so that its repositories, credentials and plugins are not used. */
  private homes(): Record<string, string> {
    return Object.fromEntries(
      ['CACHE', 'CONFIG', 'DATA'].map((home) => [`HELM_${home}_HOME`, join(this.folder, home.toLowerCase())]),
    );
  }
}
