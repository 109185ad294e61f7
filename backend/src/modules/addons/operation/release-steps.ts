import { setTimeout as delay } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { asSentence, DomainError, hasCode, reasonOf } from '../../../core/errors/index.js';
import { redact } from '../../../core/logging/index.js';
import { isReady } from '../../../drivers/kubernetes/index.js';
import type { OperationOptions } from '../../../drivers/package-manager/index.js';
import type { JobContext, UndoContext } from '../../jobs/index.js';
import { AddonClusters, type AddonCluster } from '../common/addon-clusters.js';
import { runHooked } from './failed-hooks.js';
import { historyOf, lastGood, repairRelease } from '../release/release-repair.js';
import { ReleaseResources } from '../release/release-resources.js';
import type { AddonJobInput } from '../release/operation-input.js';

/** How often resources are counted while helm waits for them. */
const POLL_MS = 1000;
/** Enough for a repair: it pulls no new images. */
const REPAIR_TIMEOUT_MS = 5 * 60_000;
/** How many of the resources that are not ready are logged. */
const MAX_LOGGED = 5;

type OpenResources = () => Promise<ReleaseResources>;

@Injectable()
export class ReleaseSteps {
  constructor(private readonly clusters: AddonClusters) {}

  access(input: AddonJobInput): Promise<AddonCluster> {
    return this.clusters.forJob(input);
  }

  options(context: UndoContext, timeoutMs: number): OperationOptions {
    return { tracking: context.tracking(), timeoutMs };
  }

  async repair(input: AddonJobInput, context: JobContext): Promise<void> {
    const cluster = await this.access(input);
    const repaired = await repairRelease(cluster, input, this.options(context, REPAIR_TIMEOUT_MS));
    if (repaired === null) context.log(`No unfinished operation on ${input.release}`);
    else context.warn(`The previous operation did not finish. ${repaired}`);
  }

  /**
   * Runs a helm operation and reports how many resources are ready meanwhile.
   * @param manifest the resources that the operation waits for.
   */
  async runWithProgress(
    input: AddonJobInput,
    manifest: string,
    context: JobContext,
    operation: (cluster: AddonCluster) => Promise<void>,
  ): Promise<void> {
    const cluster = await this.access(input);
    const open = async (): Promise<ReleaseResources> =>
      await ReleaseResources.open(await cluster.api(), input.namespace, manifest);
    const ended = new AbortController();
    const polling = pollProgress(open, context, ended.signal);
    try {
      await runHooked(cluster, input.namespace, context, () => operation(cluster));
    } catch (error) {
      await logMissing(open, context);
      throw error;
    } finally {
      ended.abort();
      await polling;
    }
    await reportReady(open, context);
  }

  /** Reads the release again, because an operation from elsewhere may have interfered. */
  async verify(input: AddonJobInput, context: JobContext): Promise<void> {
    const { manager, target } = await this.access(input);
    const [last] = await manager.history(target, input);
    if (last?.status !== 'deployed') {
      throw new DomainError(
        'release_busy',
        `helm reported success, but release ${input.release} ${last ? `is ${last.status}` : 'does not exist'}. Another program may have changed it.`,
      );
    }
    const { revision, chart, version } = last;
    context.result({ release: input.release, namespace: input.namespace, revision, chart, version });
    context.log(`Release ${input.release} is deployed as revision ${revision} (${chart} ${version})`);
  }

  /** Recovers an interrupted job. If that fails, for example because the cluster is down, the next operation repairs. */
  async reconcile(
    input: AddonJobInput,
    context: UndoContext,
    recover: (cluster: AddonCluster) => Promise<boolean>,
  ): Promise<boolean> {
    try {
      return await recover(await this.access(input));
    } catch (error) {
      const willRetry = hasCode(error, 'runtime_unavailable');
      if (!willRetry && !context.signal.aborted) {
        context.undone(
          `Could not repair ${input.release}. The next operation on it repairs it first. ${asSentence(redact(reasonOf(error)))}`,
        );
      }
      throw error;
    }
  }

  /** Returns a release to the revision before the job, or removes it if it was new. */
  async revert(input: AddonJobInput, context: UndoContext): Promise<void> {
    const { release, before } = input;
    const cluster = await this.access(input);
    const { manager, target } = cluster;
    const history = await historyOf(cluster, input);
    const [last] = history;
    if (!last) {
      context.undone('Nothing was installed.');
      return;
    }
    const options = this.options(context, REPAIR_TIMEOUT_MS);
    if (before === undefined) {
      context.log(`Uninstalling ${release}`);
      await manager.uninstall(target, input, options);
      const [left] = await historyOf(cluster, input);
      if (left) throw new Error(`release ${release} still exists: ${left.status}`);
      context.undone(`Uninstalled ${release}.`);
      return;
    }
    if (last.revision === before && last.status === 'deployed') {
      context.undone(`${release} is unchanged at revision ${before}.`);
      return;
    }
    const good = history.find(({ revision }) => revision === before) ?? lastGood(history, last.revision);
    if (!good) throw new Error(`release ${release} has no revision to roll back to`);
    context.log(`Rolling back to revision ${good.revision}`);
    await manager.rollback(target, input, good.revision, options);
    context.undone(`Rolled back ${release} to revision ${good.revision} (${good.chart} ${good.version}).`);
  }
}

async function pollProgress(open: OpenResources, context: JobContext, ended: AbortSignal): Promise<void> {
  try {
    const resources = await open();
    while (resources.total > 0) {
      const { ready } = await resources.read();
      ended.throwIfAborted();
      // Resources from before an upgrade are ready at once: only helm knows when the step has ended.
      context.progress((0.95 * ready) / resources.total, `${ready} of ${resources.total} ready`);
      await delay(POLL_MS, undefined, { signal: ended });
    }
  } catch {
    // Progress is optional: helm reports errors itself.
  }
}

/** The final count: helm may end between two polls. */
async function reportReady(open: OpenResources, context: JobContext): Promise<void> {
  try {
    const resources = await open();
    const { ready } = await resources.read();
    context.progress(1, `${ready} of ${resources.total} ready`);
  } catch {
    // As above.
  }
}

async function logMissing(open: OpenResources, context: JobContext): Promise<void> {
  if (context.signal.aborted) return;
  try {
    const { resources } = await (await open()).read();
    const missing = resources.filter(({ health }) => !isReady(health));
    for (const { kind, name, detail } of missing.slice(0, MAX_LOGGED)) {
      context.log(`${kind} ${name} is not ready: ${detail ?? 'unknown reason'}`, 'warning');
    }
  } catch (error) {
    context.log(`Could not list resources that are not ready: ${redact(reasonOf(error))}`, 'warning');
  }
}
