import { Injectable, type OnModuleInit } from '@nestjs/common';
import { asSentence, DomainError, reasonOf } from '../../../core/errors/index.js';
import { redact } from '../../../core/logging/index.js';
import type { ValuesProblem } from '../../../drivers/package-manager/index.js';
import {
  ChosenAddons,
  problemAt,
  type AddonTarget,
  type AddonInstaller,
  type ChosenAddon,
  type CheckProblemDto,
  type ChosenAddonDto,
  type ClusterKey,
} from '../../clusters/index.js';
import type { JobContext, JobStage } from '../../jobs/index.js';
import {
  findEntry,
  getEntry,
  unknownAddon,
  unsupportedReason,
  type CatalogEntry,
} from '../catalog/catalog.js';
import { AddonClusters, type AddonCluster } from '../common/addon-clusters.js';
import { ChartFinder } from '../charts/chart-finder.js';
import { historyOf, isTaken } from '../release/release-repair.js';
import { AddonValues } from './addon-values.js';
import { CatalogInstaller, inputOf, installStep } from './catalog-installer.js';
import { OperationFilesStore } from './operation-files.js';
import type { AddonJobInput } from '../release/operation-input.js';
import { ReleaseSteps } from './release-steps.js';

/** How long a creation waits for charts, to check values against their schemas. */
const CHART_MS = 15_000;

/** Installs the addons of a new cluster, as the last stages of its creation. */
@Injectable()
export class CreationAddons implements AddonInstaller, OnModuleInit {
  constructor(
    private readonly chosen: ChosenAddons,
    private readonly clusters: AddonClusters,
    private readonly charts: ChartFinder,
    private readonly values: AddonValues,
    private readonly files: OperationFilesStore,
    private readonly installer: CatalogInstaller,
    private readonly release: ReleaseSteps,
  ) {}

  onModuleInit(): void {
    this.chosen.installBy(this);
  }

  async check(
    chosen: readonly ChosenAddonDto[],
    { kubernetes }: AddonTarget,
  ): Promise<{ problems: CheckProblemDto[]; warnings: string[] }> {
    const found = chosen.map(async ({ addon, values = '' }, index) => {
      const entry = findEntry(addon);
      if (!entry) return [problemAt(`addons[${index}].addon`, unknownAddon(addon))];
      return await problemsOf(index, this.values.assertReadable(entry.chart, values));
    });
    const problems = (await Promise.all(found)).flat();
    const warnings = chosen.flatMap(({ addon }) => {
      const entry = findEntry(addon);
      return (entry && unsupportedReason(entry, kubernetes)) ?? [];
    });
    return { problems, warnings };
  }

  async keep(chosen: readonly ChosenAddonDto[], target: AddonTarget): Promise<ChosenAddon[]> {
    const entries = chosen.map(({ addon }) => getEntry(addon));
    const { problems } = await this.check(chosen, target);
    if (problems.length === 0) problems.push(...(await this.schemaProblems(chosen, target)));
    if (problems.length > 0) throw addonsRefused(problems);
    return await Promise.all(
      inOrder(entries).map(async ({ name }) => {
        const values = chosen.find(({ addon }) => addon === name)?.values;
        return { addon: name, values: values === undefined ? null : await this.files.writeValues(values) };
      }),
    );
  }

  stages(cluster: ClusterKey, addons: readonly ChosenAddon[]): JobStage[] {
    return addons.map(({ addon, values }) => {
      const entry = getEntry(addon);
      return {
        steps: [installStep(entry)],
        run: (context) => this.install(cluster, entry, values, context),
      };
    });
  }

  /** Skips charts that cannot be fetched now: helm checks their values later. */
  private async schemaProblems(
    chosen: readonly ChosenAddonDto[],
    { runtime }: AddonTarget,
  ): Promise<CheckProblemDto[]> {
    const signal = AbortSignal.timeout(CHART_MS);
    const problems = chosen.map(async ({ addon, values }, index) => {
      if (values === undefined) return [];
      const manager = this.clusters.managerOf(runtime);
      const found = await this.charts.find(manager, { addon }, signal).catch(() => null);
      if (found === null) return [];
      return await problemsOf(index, this.values.assertFits(found.chart, values));
    });
    return (await Promise.all(problems)).flat();
  }

  /** The cluster works without the addon, so an error is only a warning, and what was installed is removed. */
  private async install(
    cluster: ClusterKey,
    entry: CatalogEntry,
    kept: string | null,
    context: JobContext,
  ): Promise<void> {
    const input = inputOf(cluster, entry);
    try {
      const access = await this.release.access(input);
      if (await this.isInstalled(access, input, entry, kept === null, context)) return;
      const given = kept === null ? entry.values : await this.files.readValues(kept);
      await this.installer.install(input, entry, given, context);
      context.log(`Installed ${entry.title} as ${entry.release} in ${entry.namespace}`);
    } catch (error) {
      // Cancelling the creation deletes the cluster.
      context.signal.throwIfAborted();
      context.warn(
        `Could not install ${entry.title}. The cluster was created without it. ${asSentence(redact(reasonOf(error)))}`,
      );
      if (isTaken(error)) return;
      await this.release.revert(input, context).catch((failure: unknown) => {
        context.warn(`Could not remove ${entry.title} after the failure: ${redact(reasonOf(failure))}`);
      });
    } finally {
      if (kept !== null) await this.files.remove(kept);
    }
  }

  /** A new cluster may contain it, like the metrics-server of demo clusters. helm rejects a release of another chart. */
  private async isInstalled(
    cluster: AddonCluster,
    input: AddonJobInput,
    { chart, title }: CatalogEntry,
    hasDefaultValues: boolean,
    context: JobContext,
  ): Promise<boolean> {
    const [last] = await historyOf(cluster, input);
    if (!hasDefaultValues || last?.status !== 'deployed' || last.chart !== chart) return false;
    context.log(
      `${title} is already installed: ${input.release} in ${input.namespace} (${last.chart} ${last.version})`,
    );
    return true;
  }
}

function addonsRefused(problems: readonly CheckProblemDto[]): DomainError {
  const sentences = problems.map(
    ({ field, problem, line }) => `${field}${line === null ? '' : `, line ${line}`}: ${problem}`,
  );
  return new DomainError('values_refused', `The values are invalid. ${sentences.join('; ')}.`, problems);
}

/** Dependencies come first, whatever the order of the request. */
function inOrder(entries: readonly CatalogEntry[]): CatalogEntry[] {
  const ordered = new Set<CatalogEntry>();
  const add = (entry: CatalogEntry): void => {
    for (const need of entry.needs) {
      const found = entries.find(({ name }) => name === need);
      if (found) add(found);
    }
    ordered.add(entry);
  };
  entries.forEach(add);
  return [...ordered];
}

/** The positions of invalid values. @throws any other error */
async function problemsOf(index: number, check: Promise<void>): Promise<CheckProblemDto[]> {
  try {
    await check;
    return [];
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    const field = `addons[${index}].values`;
    const positions = error.details as ValuesProblem[];
    if (positions.length === 0) return [problemAt(field, error.message)];
    return positions.map(({ line, column, path, problem }) => ({
      field,
      problem: path === '' ? problem : `${path} ${problem}`,
      line,
      column,
    }));
  }
}
