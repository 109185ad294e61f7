import { Injectable } from '@nestjs/common';
import type { JobStage } from '../../jobs/index.js';
import type { ClusterKey } from '../inventory/index.js';
import type { ChosenAddonDto } from './create-cluster.dto.js';

/** An addon that a creation ends with, as its job is told of it: values are in a private file. */
export interface ChosenAddon {
  addon: string;
  /** Names the file; null for the catalogue's own values. */
  values: string | null;
}

/** What is wrong with an addon that was chosen, at its field of the request. */
export interface ChosenAddonProblem {
  /** `addons[1].values` */
  field: string;
  problem: string;
  /** Within its values. */
  line: number | null;
  column: number | null;
}

/** What an addon would be installed into. */
export interface AddonTarget {
  runtime: string;
  /** `v1.34.4`; null where the config alone knows. */
  kubernetes: string | null;
}

/** What knows how to install addons. */
export interface AddonInstaller {
  /** What can be said without asking anybody outside. */
  check: (
    chosen: readonly ChosenAddonDto[],
    ground: AddonTarget,
  ) => Promise<{ problems: ChosenAddonProblem[]; warnings: string[] }>;
  /**
   * Looks at what was chosen, with the charts of those that are given values, and keeps what the job needs.
   * @throws DomainError `addon_not_found`, or `values_refused` with a `ChosenAddonProblem` for each.
   */
  keep: (chosen: readonly ChosenAddonDto[], ground: AddonTarget) => Promise<ChosenAddon[]>;
  /** One for each. A stage that fails says so by a warning, and leaves the cluster. */
  stages: (cluster: ClusterKey, addons: readonly ChosenAddon[]) => JobStage[];
}

/**
 * Where a creation gets its last stages from. Addons know clusters, and so clusters cannot know addons: who installs
 * them says so here.
 */
@Injectable()
export class ChosenAddons {
  private installer: AddonInstaller | undefined;

  installBy(installer: AddonInstaller): void {
    this.installer = installer;
  }

  async check(
    chosen: readonly ChosenAddonDto[],
    ground: AddonTarget,
  ): Promise<{ problems: ChosenAddonProblem[]; warnings: string[] }> {
    return chosen.length === 0 ? { problems: [], warnings: [] } : await this.known.check(chosen, ground);
  }

  async keep(chosen: readonly ChosenAddonDto[], ground: AddonTarget): Promise<ChosenAddon[]> {
    return chosen.length === 0 ? [] : await this.known.keep(chosen, ground);
  }

  stages(cluster: ClusterKey, addons: readonly ChosenAddon[] = []): JobStage[] {
    return addons.length === 0 ? [] : this.known.stages(cluster, addons);
  }

  private get known(): AddonInstaller {
    if (!this.installer) throw new Error('nobody installs addons');
    return this.installer;
  }
}
