import type { ReleaseName } from '../../../drivers/package-manager/index.js';
import type { Job, JobKind } from '../../jobs/index.js';
import type { AddonSource } from '../charts/addon-source.store.js';

/** What every job of an addon is told. Values and charts are in private files: a job's input is no place for secrets. */
export interface AddonJobInput extends ReleaseName {
  name: string;
  runtime: string;
  /** Name of the addon for people. */
  title: string;
}

/** What a job needs to install a chart or put it in the place of one. */
export interface ChartJobInput extends AddonJobInput {
  /** Names the private files. */
  files: string;
  chart: string;
  version: string;
  origin: AddonSource;
  keepOnFailure: boolean;
  timeoutMs: number;
}

/** Told beside: the revision that was the last one when the job was asked for, where a failed operation goes back to. */
export interface ChangeJobInput extends AddonJobInput {
  before: number;
}

export type UpgradeJobInput = ChartJobInput & ChangeJobInput;

export interface RollbackJobInput extends ChangeJobInput {
  revision: number;
}

const KINDS: readonly JobKind[] = ['addon-install', 'addon-upgrade', 'addon-rollback', 'addon-uninstall'];

export function isAddonJob(job: Job): job is Job & { input: AddonJobInput & Partial<ChartJobInput> } {
  return KINDS.includes(job.kind);
}
