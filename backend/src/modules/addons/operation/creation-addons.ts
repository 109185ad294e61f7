import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DomainError, reasonOf } from '../../../core/errors/index.js';
import { redact } from '../../../core/logging/index.js';
import type { ValuesProblem } from '../../../drivers/package-manager/index.js';
import {
  ChosenAddons,
  type AddonGround,
  type AddonInstaller,
  type ChosenAddon,
  type ChosenAddonProblem,
  type ClusterKey,
} from '../../clusters/index.js';
import type { ChosenAddonDto } from '../../clusters/index.js';
import type { JobContext, JobStage } from '../../jobs/index.js';
import { CATALOGUE, entryOf, unfitFor } from '../catalogue/catalogue.js';
import type { CatalogueEntry } from '../catalogue/catalogue-entry.js';
import { AddonClusters, type AddonCluster } from '../addon-clusters.js';
import { AddonSourceStore } from '../charts/addon-source.store.js';
import { ChartFinder } from '../charts/chart-finder.js';
import { historyOf, isTaken } from '../release/release-repair.js';
import { AddonValues } from './addon-values.js';
import { OperationFilesStore } from './operation-files.js';
import type { AddonJobInput } from './operation-input.js';
import { ReleaseWork } from './release-work.js';

const TIMEOUT_MS = 10 * 60_000;
/** How long a creation waits for charts, to hold values against their schemas. */
const CHART_MS = 15_000;

const NOWHERE = { line: null, column: null } as const;

/** Installs the addons that were chosen with a cluster, as the last stages of its creation. */
@Injectable()
export class CreationAddons implements AddonInstaller, OnModuleInit {
  constructor(
    private readonly chosen: ChosenAddons,
    private readonly clusters: AddonClusters,
    private readonly charts: ChartFinder,
    private readonly values: AddonValues,
    private readonly files: OperationFilesStore,
    private readonly sources: AddonSourceStore,
    private readonly work: ReleaseWork,
  ) {}

  onModuleInit(): void {
    this.chosen.installBy(this);
  }

  async check(
    chosen: readonly ChosenAddonDto[],
    { kubernetes }: AddonGround,
  ): Promise<{ problems: ChosenAddonProblem[]; warnings: string[] }> {
    const found = chosen.map(async ({ addon, values = '' }, index) => {
      const entry = entryOf(addon);
      if (!entry) return [{ ...NOWHERE, field: `addons[${index}].addon`, problem: notKnown(addon) }];
      return await problemsOf(index, this.values.assertReadable(entry.chart, values));
    });
    const problems = (await Promise.all(found)).flat();
    const warnings = chosen.flatMap(({ addon }) => {
      const entry = entryOf(addon);
      return (entry && unfitFor(entry, kubernetes)) ?? [];
    });
    return { problems, warnings };
  }

  async keep(chosen: readonly ChosenAddonDto[], ground: AddonGround): Promise<ChosenAddon[]> {
    const entries = chosen.map(({ addon }) => known(addon));
    const { problems } = await this.check(chosen, ground);
    if (problems.length === 0) problems.push(...(await this.refusedBySchemas(chosen, ground)));
    if (problems.length > 0) throw addonsRefused(problems);
    return await Promise.all(
      inOrder(entries).map(async ({ name }) => {
        const values = chosen.find(({ addon }) => addon === name)?.values;
        return { addon: name, values: values === undefined ? null : await this.files.keepValues(values) };
      }),
    );
  }

  stages(cluster: ClusterKey, addons: readonly ChosenAddon[]): JobStage[] {
    return addons.map(({ addon, values }) => {
      const entry = known(addon);
      return {
        steps: [{ name: `addon-${addon}`, title: `Installing ${entry.title}`, weight: 30 }],
        run: (context) => this.install(cluster, entry, values, context),
      };
    });
  }

  /** Who cannot be asked now has a say once the cluster is there. */
  private async refusedBySchemas(
    chosen: readonly ChosenAddonDto[],
    { runtime }: AddonGround,
  ): Promise<ChosenAddonProblem[]> {
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

  /** The cluster is whole without it: whatever goes wrong is a warning, and nothing of it is left. */
  private async install(
    cluster: ClusterKey,
    entry: CatalogueEntry,
    kept: string | null,
    context: JobContext,
  ): Promise<void> {
    const input: AddonJobInput = {
      name: cluster.name,
      runtime: cluster.runtime,
      release: entry.release,
      namespace: entry.namespace,
      title: entry.title,
    };
    try {
      const ways = await this.work.waysTo(input);
      if (await this.isThere(ways, input, entry, kept === null, context)) return;
      const found = await this.charts.find(ways.manager, { addon: entry.name }, context.signal);
      const given = kept === null ? entry.values : await this.files.readValues(kept);
      const values = await this.values.prepare(cluster, found.chart, given);
      const request = { release: entry.release, namespace: entry.namespace, chart: found.chart, values };
      const manifest = await ways.manager.render(ways.target, {
        ...request,
        upgrade: false,
        kubernetes: null,
      });
      await this.work.follow(input, manifest, context, ({ manager, target }) =>
        manager.install(target, request, this.work.options(context, TIMEOUT_MS)),
      );
      this.sources.put(cluster, input, found.origin);
      context.log(`${entry.title} is installed as ${entry.release} in ${entry.namespace}`);
    } catch (error) {
      // Cancelled: the whole cluster goes, and this with it.
      context.signal.throwIfAborted();
      context.warn(
        `${entry.title} could not be installed, and the cluster is there without it: ${redact(reasonOf(error))}`,
      );
      if (isTaken(error)) return;
      await this.work.takeBack(input, null, context).catch((failure: unknown) => {
        context.warn(`What was made of ${entry.title} could not be removed: ${redact(reasonOf(failure))}`);
      });
    } finally {
      if (kept !== null) await this.files.remove(kept);
    }
  }

  /**
   * A cluster may begin with it, as those of the demo do with a metrics-server. What is there and is something else is
   * for helm to refuse.
   */
  private async isThere(
    { manager, target }: AddonCluster,
    input: AddonJobInput,
    { chart, title }: CatalogueEntry,
    asItComes: boolean,
    context: JobContext,
  ): Promise<boolean> {
    const [last] = await historyOf(() => manager.history(target, input));
    if (!asItComes || last?.status !== 'deployed' || last.chart !== chart) return false;
    context.log(
      `${title} is there already: ${input.release} in ${input.namespace} (${last.chart} ${last.version})`,
    );
    return true;
  }
}

/** @throws DomainError `addon_not_found` */
function known(addon: string): CatalogueEntry {
  const entry = entryOf(addon);
  if (entry) return entry;
  throw new DomainError('addon_not_found', notKnown(addon));
}

function notKnown(addon: string): string {
  return `The catalogue has no ${addon}. It has ${CATALOGUE.map(({ name }) => name).join(', ')}.`;
}

function addonsRefused(problems: readonly ChosenAddonProblem[]): DomainError {
  const sentences = problems.map(
    ({ field, problem, line }) => `${field}${line === null ? '' : `, line ${line}`}: ${problem}`,
  );
  return new DomainError('values_refused', `These values are refused. ${sentences.join('; ')}.`, problems);
}

/** What others need comes before them, whatever the order of the request. */
function inOrder(entries: readonly CatalogueEntry[]): CatalogueEntry[] {
  const ordered = new Set<CatalogueEntry>();
  const add = (entry: CatalogueEntry): void => {
    for (const need of entry.needs) {
      const found = entries.find(({ name }) => name === need);
      if (found) add(found);
    }
    ordered.add(entry);
  };
  entries.forEach(add);
  return [...ordered];
}

/** Where the values of an addon that was chosen are wrong. @throws what is no refusal of values */
async function problemsOf(index: number, check: Promise<void>): Promise<ChosenAddonProblem[]> {
  return await check.then(
    () => [],
    (error: unknown) => problemsIn(index, error),
  );
}

function problemsIn(index: number, error: unknown): ChosenAddonProblem[] {
  if (!(error instanceof DomainError)) throw error;
  const field = `addons[${index}].values`;
  const places = error.details as ValuesProblem[];
  if (places.length === 0) return [{ ...NOWHERE, field, problem: error.message }];
  return places.map(({ line, column, path, problem }) => ({
    field,
    problem: path === '' ? problem : `${path} ${problem}`,
    line,
    column,
  }));
}
