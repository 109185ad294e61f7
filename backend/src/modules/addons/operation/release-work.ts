import { setTimeout as delay } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { DomainError, reasonOf } from '../../../core/errors/index.js';
import { redact } from '../../../core/logging/index.js';
import type { OperationOptions } from '../../../drivers/package-manager/index.js';
import type { JobContext, UndoContext } from '../../jobs/index.js';
import { AddonClusters, type AddonCluster } from '../addon-clusters.js';
import { lastGood, repair, historyOf } from '../release/release-repair.js';
import { ReleaseResources } from '../release/release-resources.js';
import type { AddonJobInput } from './operation-input.js';
import { sentence } from './operation-words.js';

/** How often objects are counted while helm waits for them. */
const LOOK_EVERY_MS = 1000;
/** What putting right may take: nothing new has to be pulled for it. */
const REPAIR_TIMEOUT_MS = 5 * 60_000;
/** How many of the objects that are not ready are named. */
const NAMED = 5;

/** What jobs of addons do, whatever they bring about. */
@Injectable()
export class ReleaseWork {
  constructor(private readonly clusters: AddonClusters) {}

  waysTo(input: AddonJobInput): Promise<AddonCluster> {
    return this.clusters.atWork(input);
  }

  /** Puts right what an earlier operation left, before another begins. */
  async repairFirst(input: AddonJobInput, context: JobContext): Promise<void> {
    const ways = await this.waysTo(input);
    const done = await repair(ways, input, this.options(context, REPAIR_TIMEOUT_MS));
    if (done === null) context.log(`Nothing of ${input.release} is to be repaired`);
    else context.warn(`An operation before was cut short. ${done}`);
  }

  /**
   * Lets helm work, and tells meanwhile how many of the release's objects are ready.
   * @param manifest what is waited for.
   */
  async follow(
    input: AddonJobInput,
    manifest: string,
    context: JobContext,
    operation: (ways: AddonCluster) => Promise<void>,
  ): Promise<void> {
    const ways = await this.waysTo(input);
    const over = new AbortController();
    const counting = this.count(ways, input, manifest, context, over.signal);
    try {
      await operation(ways);
    } catch (error) {
      await this.tellWhatIsMissing(ways, input, manifest, context);
      throw error;
    } finally {
      over.abort();
      await counting;
    }
    await this.countOnce(ways, input, manifest, context);
  }

  /** How the release stands in the end is asked, and not taken from what helm said. */
  async confirm(input: AddonJobInput, context: JobContext): Promise<void> {
    const { manager, target } = await this.waysTo(input);
    const [last] = await manager.history(target, input);
    if (last?.status !== 'deployed') {
      throw new DomainError(
        'release_busy',
        `helm ended well, and yet ${input.release} is ${last?.status ?? 'gone'}: somebody else is at work on it.`,
      );
    }
    context.result({
      release: input.release,
      namespace: input.namespace,
      revision: last.revision,
      chart: last.chart,
      version: last.version,
    });
    context.log(`${input.release} is deployed as revision ${last.revision} (${last.chart} ${last.version})`);
  }

  /**
   * Lets a job that a crash cut short be put right. Where that fails now, as over a cluster that does not answer, it
   * is said: the next operation on the release begins with it.
   */
  async putRight(
    input: AddonJobInput,
    context: UndoContext,
    work: (ways: AddonCluster) => Promise<boolean>,
  ): Promise<boolean> {
    try {
      return await work(await this.waysTo(input));
    } catch (error) {
      const comesBack = error instanceof DomainError && error.code === 'runtime_unavailable';
      if (!comesBack && !context.signal.aborted) {
        context.undone(
          `${input.release} could not be put right yet; the next operation on it begins with that. ${sentence(redact(reasonOf(error)))}`,
        );
      }
      throw error;
    }
  }

  /**
   * Takes a release back to where it was before the job, also after a failure that helm itself wrote down.
   * @param before the revision then; null where there was no release.
   */
  async takeBack(input: AddonJobInput, before: number | null, context: UndoContext): Promise<void> {
    const ways = await this.waysTo(input);
    const { manager, target } = ways;
    const history = await historyOf(() => manager.history(target, input));
    const [last] = history;
    if (!last) {
      context.undone('Nothing of it had been installed.');
      return;
    }
    const options = this.options(context, REPAIR_TIMEOUT_MS);
    if (before === null) {
      context.log(`Removing ${input.release}`);
      await manager.uninstall(target, input, options);
      await this.proveGone(ways, input);
      context.undone(`${input.release} was removed again.`);
      return;
    }
    if (last.revision === before && last.status === 'deployed') {
      context.undone(`${input.release} is as it was, at revision ${before}.`);
      return;
    }
    const good = history.find(({ revision }) => revision === before) ?? lastGood(history, last.revision);
    if (!good) throw new Error(`${input.release} has no revision to go back to`);
    context.log(`Going back to revision ${good.revision}`);
    await manager.rollback(target, input, good.revision, options);
    context.undone(
      `${input.release} went back to revision ${good.revision} (${good.chart} ${good.version}).`,
    );
  }

  options(context: UndoContext, timeoutMs: number): OperationOptions {
    return { tracking: context.tracking(), timeoutMs };
  }

  private async proveGone({ manager, target }: AddonCluster, input: AddonJobInput): Promise<void> {
    const left = await historyOf(() => manager.history(target, input));
    if (left.length > 0) throw new Error(`${input.release} is still there: ${left[0]?.status ?? ''}`);
  }

  private async count(
    ways: AddonCluster,
    { namespace }: AddonJobInput,
    manifest: string,
    context: JobContext,
    over: AbortSignal,
  ): Promise<void> {
    try {
      const resources = await ReleaseResources.open(await ways.api(), namespace, manifest);
      while (resources.total > 0) {
        const { ready } = await resources.read();
        over.throwIfAborted();
        // What was there before an upgrade is ready at once: the last of it is helm's to tell.
        context.progress((0.95 * ready) / resources.total, `${ready} of ${resources.total} ready`);
        await delay(LOOK_EVERY_MS, undefined, { signal: over });
      }
    } catch {
      // The count is for who watches: helm goes on without it, and says itself what is wrong.
    }
  }

  /** The last word of the count: helm may end between two looks. */
  private async countOnce(
    ways: AddonCluster,
    { namespace }: AddonJobInput,
    manifest: string,
    context: JobContext,
  ): Promise<void> {
    try {
      const resources = await ReleaseResources.open(await ways.api(), namespace, manifest);
      const { ready } = await resources.read();
      context.progress(1, `${ready} of ${resources.total} ready`);
    } catch {
      // As above.
    }
  }

  private async tellWhatIsMissing(
    ways: AddonCluster,
    { namespace }: AddonJobInput,
    manifest: string,
    context: JobContext,
  ): Promise<void> {
    if (context.signal.aborted) return;
    try {
      const objects = await ReleaseResources.open(await ways.api(), namespace, manifest);
      const { resources } = await objects.read();
      const missing = resources.filter(({ health }) => health === 'progressing' || health === 'failed');
      for (const { kind, name, detail } of missing.slice(0, NAMED)) {
        context.log(`${kind} ${name} is not ready: ${detail ?? 'no reason is told'}`, 'warning');
      }
    } catch (error) {
      context.log(`What is not ready could not be asked: ${redact(reasonOf(error))}`, 'warning');
    }
  }
}
