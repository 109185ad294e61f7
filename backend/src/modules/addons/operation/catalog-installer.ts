import { Injectable } from '@nestjs/common';
import type { ClusterKey } from '../../clusters/index.js';
import type { JobContext, JobStage } from '../../jobs/index.js';
import type { CatalogEntry } from '../catalog/catalog.js';
import { AddonSourceStore } from '../charts/addon-source.store.js';
import { ChartFinder } from '../charts/chart-finder.js';
import type { AddonJobInput } from '../release/operation-input.js';
import { AddonValues } from './addon-values.js';
import { ReleaseSteps } from './release-steps.js';

const TIMEOUT_MS = 10 * 60_000;

/** Installs an addon of the catalog in a step of a job. */
@Injectable()
export class CatalogInstaller {
  constructor(
    private readonly charts: ChartFinder,
    private readonly values: AddonValues,
    private readonly sources: AddonSourceStore,
    private readonly release: ReleaseSteps,
  ) {}

  async install(
    input: AddonJobInput,
    { name, release, namespace }: CatalogEntry,
    given: string,
    context: JobContext,
  ): Promise<void> {
    const access = await this.release.access(input);
    const found = await this.charts.find(access.manager, { addon: name }, context.signal);
    const values = await this.values.prepare(input, found.chart, given);
    const request = { release, namespace, chart: found.chart, values };
    const rendered = { ...request, upgrade: false, kubernetes: null };
    const manifest = await access.manager.render(access.target, rendered);
    await this.release.runWithProgress(input, manifest, context, ({ manager, target }) =>
      manager.install(target, request, this.release.options(context, TIMEOUT_MS)),
    );
    this.sources.put(input, input, found.origin);
  }
}

export function inputOf(
  { name, runtime }: ClusterKey,
  { release, namespace, title }: CatalogEntry,
): AddonJobInput {
  return { name, runtime, release, namespace, title };
}

/** The step of a stage that installs an addon as a part of another job. */
export function installStep({ name, title }: CatalogEntry): JobStage['steps'][number] {
  return { name: `addon-${name}`, title: `Installing ${title}`, weight: 30 };
}
