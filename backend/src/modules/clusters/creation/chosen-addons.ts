import { Injectable } from '@nestjs/common';
import type { JobStage } from '../../jobs/index.js';
import type { CheckProblemDto } from '../inventory/cluster.dto.js';
import type { ClusterKey } from '../inventory/cluster.store.js';
import type { ChosenAddonDto } from './create-cluster.dto.js';

/** An addon to install at the end of a creation. Its values are in a private file. */
export interface ChosenAddon {
  addon: string;
  /** Name of the file; null for the values of the catalog. */
  values: string | null;
}

export interface AddonTarget {
  runtime: string;
  /** Version such as `v1.34.4`; null if unknown. */
  kubernetes: string | null;
}

interface AddonProblems {
  problems: CheckProblemDto[];
  warnings: string[];
}

/** Implemented by the addons module. */
export interface AddonInstaller {
  /** Checks that need no network access. */
  check: (chosen: readonly ChosenAddonDto[], target: AddonTarget) => Promise<AddonProblems>;
  /**
   * Checks the addons including their charts, and saves their values.
   * @throws DomainError `addon_not_found`, or `values_refused` with the problems.
   */
  keep: (chosen: readonly ChosenAddonDto[], target: AddonTarget) => Promise<ChosenAddon[]>;
  /** One stage for each addon. A failed installation is a warning and does not fail the job. */
  stages: (cluster: ClusterKey, addons: readonly ChosenAddon[]) => JobStage[];
}

/** Provides the last stages of a creation. The addons module depends on this one, so it registers its installer here. */
@Injectable()
export class ChosenAddons implements AddonInstaller {
  private installer: AddonInstaller | undefined;

  installBy(installer: AddonInstaller): void {
    this.installer = installer;
  }

  async check(chosen: readonly ChosenAddonDto[], target: AddonTarget): Promise<AddonProblems> {
    return (await this.installer?.check(chosen, target)) ?? { problems: [], warnings: [] };
  }

  async keep(chosen: readonly ChosenAddonDto[], target: AddonTarget): Promise<ChosenAddon[]> {
    return (await this.installer?.keep(chosen, target)) ?? [];
  }

  stages(cluster: ClusterKey, addons: readonly ChosenAddon[] = []): JobStage[] {
    return this.installer?.stages(cluster, addons) ?? [];
  }
}
