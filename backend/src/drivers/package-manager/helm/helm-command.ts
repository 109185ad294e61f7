import { randomBytes } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { writeFileAtomically } from '../../../core/storage/index.js';
import type { ClusterTarget } from '../../kubernetes/index.js';
import {
  CommandError,
  type ProcessResult,
  type ProcessRunner,
  type ProcessTracking,
} from '../../process/index.js';
import { clusterFailure } from './helm-failures.js';

/** Manifests of the largest charts have a few megabytes, and so have lists of what a repository offers. */
const OUTPUT_LIMIT = 32_000_000;
/** Helm marks a release `failed` when it is asked to end, which takes it a few requests. */
const GRACE_MS = 10_000;
const READ_TIMEOUT_MS = 30_000;

export interface HelmCall {
  args: readonly string[];
  cluster?: ClusterTarget;
  /** YAML that is given by a file. */
  values?: string;
  tracking?: ProcessTracking;
  timeoutMs?: number;
  environment?: Record<string, string>;
}

/**
 * Calls of helm. Whatever they are given goes by private files that live as long as the call: a kubeconfig and
 * values are never on a command line, where every user of the machine could read them.
 */
export class HelmCommand {
  private readonly calls: string;

  constructor(
    private readonly processes: ProcessRunner,
    private readonly folder: string,
  ) {
    this.calls = join(folder, 'calls');
  }

  /** Removes what a crash left: kubeconfigs and values of calls that have ended. */
  async removeLeft(): Promise<void> {
    await rm(this.calls, { recursive: true, force: true });
  }

  async run({
    args,
    cluster,
    values,
    tracking,
    timeoutMs = READ_TIMEOUT_MS,
    environment,
  }: HelmCall): Promise<ProcessResult> {
    return await this.withFolder(async (folder) => {
      const flags: string[] = [];
      if (cluster) {
        const file = join(folder, 'kubeconfig');
        await writeFileAtomically(file, cluster.kubeconfig.text);
        flags.push(`--kubeconfig=${file}`);
      }
      if (values !== undefined) {
        const file = join(folder, 'values.yaml');
        await writeFileAtomically(file, values);
        flags.push(`--values=${file}`);
      }
      // Behind `--` stands what is no flag, whatever it looks like.
      const end = args.includes('--') ? args.indexOf('--') : args.length;
      try {
        return await this.processes.run({
          program: 'helm',
          args: [...args.slice(0, end), ...flags, ...args.slice(end)],
          environment: { ...this.homes(), ...environment },
          timeoutMs,
          graceMs: GRACE_MS,
          outputLimit: OUTPUT_LIMIT,
          workingDirectory: folder,
          ...tracking,
        });
      } catch (error) {
        throw (error instanceof CommandError && cluster && clusterFailure(error, cluster)) || error;
      }
    });
  }

  /** A private folder that is gone afterwards. */
  async withFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
    const folder = join(this.calls, randomBytes(8).toString('hex'));
    await mkdir(folder, { recursive: true, mode: 0o700 });
    try {
      return await work(folder);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }

  /** Nothing of the user's own helm is read or written: neither its repositories and sign-ins nor its plugins. */
  private homes(): Record<string, string> {
    return Object.fromEntries(
      ['CACHE', 'CONFIG', 'DATA'].map((home) => [`HELM_${home}_HOME`, join(this.folder, home.toLowerCase())]),
    );
  }
}
