import type { ReleaseName } from '../../../drivers/package-manager/index.js';
import type { ClusterKey } from '../../clusters/index.js';
import type { Job } from '../../jobs/index.js';
import type { AddonSource } from '../charts/addon-source.store.js';

/** Input of every addon job. Values and charts are in private files, because a job's input may not hold secrets. */
export interface AddonJobInput extends ReleaseName, ClusterKey {
  title: string;
  files?: string;
  origin?: AddonSource;
  /** The last good revision, to which a failed operation returns. Absent for an installation. */
  before?: number;
  keepOnFailure?: boolean;
  /** Whether an uninstallation leaves out the hooks of the chart. */
  noHooks?: boolean;
}

export interface ChartJobInput extends AddonJobInput {
  files: string;
  chart: string;
  version: string;
  origin: AddonSource;
  keepOnFailure: boolean;
  timeoutMs: number;
}

export interface InstallJobInput extends ChartJobInput {
  /** Catalog addons that the job installs first. */
  prerequisites?: string[];
}

export interface UpgradeJobInput extends ChartJobInput {
  before: number;
}

export interface RollbackJobInput extends AddonJobInput {
  before: number;
  revision: number;
}

export function isAddonJob(job: Job): job is Job & { input: AddonJobInput } {
  return job.kind.startsWith('addon-');
}
