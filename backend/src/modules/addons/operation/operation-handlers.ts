import { Injectable } from '@nestjs/common';
import { reasonOf } from '../../../core/errors/index.js';
import { redact } from '../../../core/logging/index.js';
import type {
  ChartRequest,
  OperationOptions,
  PackageManager,
} from '../../../drivers/package-manager/index.js';
import type { ClusterTarget } from '../../../drivers/kubernetes/index.js';
import type {
  Job,
  JobConclusion,
  JobContext,
  JobStage,
  OutcomeTexts,
  UndoContext,
} from '../../jobs/index.js';
import { getEntry, type CatalogEntry } from '../catalog/catalog.js';
import { AddonSourceStore } from '../charts/addon-source.store.js';
import { keptCrds } from '../release/kept-crds.js';
import { historyOf, isTaken } from '../release/release-repair.js';
import { AddonOperationHandler, ChartOperationHandler } from './addon-operation.handler.js';
import { CatalogInstaller, inputOf, installStep } from './catalog-installer.js';
import { runHooked } from './failed-hooks.js';
import { OperationFilesStore } from './operation-files.js';
import { ReleaseSteps } from './release-steps.js';
import type {
  AddonJobInput,
  ChartJobInput,
  InstallJobInput,
  RollbackJobInput,
  UpgradeJobInput,
} from '../release/operation-input.js';

const ROLLBACK_TIMEOUT_MS = 10 * 60_000;
const UNINSTALL_TIMEOUT_MS = 5 * 60_000;

type ApplyChart = (
  manager: PackageManager,
  ...args: [ClusterTarget, ChartRequest, OperationOptions]
) => Promise<void>;
type Operation = Required<Pick<JobStage, 'run' | 'undo'>>;

/** The addon, and its release if that has another name. */
function titled(title: string, release: string): string {
  return title === release ? title : `${title} (${release})`;
}

abstract class ApplyChartHandler<TInput extends ChartJobInput> extends ChartOperationHandler<TInput> {
  protected async applyChart(input: TInput, context: JobContext, apply: ApplyChart): Promise<void> {
    const { chart: source, values, manifest } = await this.files.read(input.files);
    await this.release.runWithProgress(input, manifest, context, async ({ manager, target }) => {
      const { release, namespace, timeoutMs } = input;
      const chart = await manager.chart(source, context.signal);
      const options = this.release.options(context, timeoutMs);
      await apply(manager, target, { release, namespace, chart, values }, options);
    });
  }
}

@Injectable()
export class InstallAddonHandler extends ApplyChartHandler<InstallJobInput> {
  override readonly kind = 'addon-install';
  protected override readonly step = { name: 'install', weight: 30 };

  constructor(
    release: ReleaseSteps,
    files: OperationFilesStore,
    sources: AddonSourceStore,
    private readonly installer: CatalogInstaller,
  ) {
    super(release, files, sources);
  }

  override plan(input: InstallJobInput): JobStage[] {
    const first = (input.prerequisites ?? []).map((name) => this.prerequisite(input, getEntry(name)));
    return [...first, ...super.plan(input)];
  }

  override texts(input: InstallJobInput, conclusion: JobConclusion): OutcomeTexts {
    const texts = super.texts(input, conclusion);
    const { job, outcome, undone } = conclusion;
    const stay = (input.prerequisites ?? [])
      .map(getEntry)
      .filter((entry) =>
        job.steps.some(({ name, state }) => name === installStep(entry).name && state === 'succeeded'),
      );
    if (outcome === 'succeeded' || stay.length === 0) return texts;
    const own = undone.length > 0 ? undone : [(outcome === 'failed' ? texts.failed : texts.unfinished) ?? ''];
    const titles = stay.map(({ title }) => title).join(' and ');
    return { ...texts, undone: [...own, `${titles} ${stay.length === 1 ? 'stays' : 'stay'} installed.`] };
  }

  /** An installed prerequisite stays if the addon itself fails. */
  private prerequisite(input: InstallJobInput, entry: CatalogEntry): JobStage {
    const own = inputOf(input, entry);
    return {
      steps: [installStep(entry)],
      run: async (context) => {
        try {
          await this.installer.install(own, entry, entry.values, context);
        } catch (error) {
          if (!isTaken(error)) await this.release.revert(own, context);
          throw error;
        }
      },
    };
  }

  protected override subject(input: InstallJobInput): string {
    const { title, chart, version, release, namespace, name } = input;
    return `${title} (${chart} ${version}) as ${release} in namespace ${namespace} of ${name}`;
  }

  protected override operate(input: InstallJobInput): Operation {
    let taken = false;
    return {
      run: (context) =>
        this.applyChart(input, context, async (manager, ...args) => {
          try {
            await manager.install(...args);
          } catch (error) {
            taken = isTaken(error);
            throw error;
          }
        }),
      undo: async (context) => {
        if (!taken) await this.release.revert(input, context);
      },
    };
  }
}

@Injectable()
export class UpgradeAddonHandler extends ApplyChartHandler<UpgradeJobInput> {
  override readonly kind = 'addon-upgrade';
  protected override readonly step = { name: 'upgrade', weight: 30 };

  protected override subject(
    { title, chart, version, release, name }: UpgradeJobInput,
    result?: Job['result'],
  ): string {
    const { revision } = (result ?? {}) as { revision?: number };
    return `${titled(title, release)} in ${name} to ${chart} ${version}${revision === undefined ? '' : `, revision ${revision}`}`;
  }

  protected override operate(input: UpgradeJobInput): Operation {
    return {
      run: (context) => this.applyChart(input, context, (manager, ...args) => manager.upgrade(...args)),
      undo: (context) => this.release.revert(input, context),
    };
  }
}

@Injectable()
export class RollbackAddonHandler extends ChartOperationHandler<RollbackJobInput> {
  override readonly kind = 'addon-rollback';
  protected override readonly step = { name: 'rollback', weight: 20 };

  protected override subject({ title, release, name, revision }: RollbackJobInput): string {
    return `${titled(title, release)} in ${name} to revision ${revision}`;
  }

  protected override operate(input: RollbackJobInput): Operation {
    return {
      run: async (context) => {
        const { manager, target } = await this.release.access(input);
        const { manifest } = await manager.contents(target, input, input.revision);
        const options = this.release.options(context, ROLLBACK_TIMEOUT_MS);
        await this.release.runWithProgress(input, manifest, context, () =>
          manager.rollback(target, input, input.revision, options),
        );
      },
      undo: (context) => this.release.revert(input, context),
    };
  }
}

@Injectable()
export class UninstallAddonHandler extends AddonOperationHandler<AddonJobInput> {
  override readonly kind = 'addon-uninstall';
  protected override readonly step = { name: 'uninstall', weight: 10 };

  protected override subject({ title, release, namespace, name }: AddonJobInput): string {
    return `${titled(title, release)} from namespace ${namespace} of ${name}`;
  }

  override plan(input: AddonJobInput): JobStage[] {
    return [
      {
        steps: [this.stepPlan(input)],
        run: (context) => this.uninstall(input, context),
        undo: (context) => this.reportLeft(input, context),
      },
    ];
  }

  /** Finishes a removal that has started: half a release is useless. */
  override async recover(input: AddonJobInput, context: UndoContext): Promise<boolean> {
    if (!this.hasStarted(context.job)) return false;
    return await this.release.reconcile(input, context, async () => {
      await this.uninstall(input, context);
      return true;
    });
  }

  private async reportLeft(input: AddonJobInput, context: UndoContext): Promise<void> {
    try {
      const left = await historyOf(await this.release.access(input), input);
      context.undone(
        left.length === 0
          ? `${input.release} is uninstalled.`
          : `Release ${input.release} still exists. Uninstall the addon again to remove the rest, without its hooks if one of them fails.`,
      );
    } catch (error) {
      context.log(`Could not determine what remains: ${redact(reasonOf(error))}`, 'warning');
    }
  }

  private async uninstall(input: AddonJobInput, context: UndoContext): Promise<void> {
    const cluster = await this.release.access(input);
    const [last] = await historyOf(cluster, input);
    const crds = last ? await keptCrds(cluster.api, { ...input, revision: last.revision }) : [];
    const options = this.release.options(context, UNINSTALL_TIMEOUT_MS);
    await runHooked(cluster, input.namespace, context, () =>
      cluster.manager.uninstall(cluster.target, input, { ...options, noHooks: input.noHooks }),
    );
    const left = await historyOf(cluster, input);
    if (left.length > 0) throw new Error(`helm reported success, but release ${input.release} still exists`);
    this.sources.remove(input, input);
    if (crds.length > 0) {
      context.warn(`${crds.join(', ')} ${crds.length === 1 ? 'stays' : 'stay'}: helm does not remove CRDs.`);
    }
  }
}
