import { hasCode } from '../../../core/errors/index.js';
import type {
  OperationOptions,
  ReleaseName,
  ReleaseRevision,
  ReleaseStatus,
} from '../../../drivers/package-manager/index.js';
import type { AddonCluster } from '../common/addon-clusters.js';

/** Whether an operation is running, or was interrupted. */
export function isPending(status: ReleaseStatus): boolean {
  return status.startsWith('pending-') || status === 'uninstalling';
}

export function lastGood(
  history: readonly ReleaseRevision[],
  excluded?: number,
): ReleaseRevision | undefined {
  return history.find(
    ({ status, revision }) => revision !== excluded && (status === 'deployed' || status === 'superseded'),
  );
}

/**
 * Repairs a release whose last operation was interrupted: rolls back to the last good revision, or removes a first
 * installation.
 * @returns what was done, in a sentence; null if there was nothing to repair.
 */
export async function repairRelease(
  cluster: Pick<AddonCluster, 'manager' | 'target'>,
  name: ReleaseName,
  options: OperationOptions,
): Promise<string | null> {
  const { manager, target } = cluster;
  const history = await historyOf(cluster, name);
  const [last] = history;
  if (!last || !isPending(last.status)) return null;
  if (last.status === 'uninstalling') {
    await manager.uninstall(target, name, options);
    return `Finished the removal of ${name.release}.`;
  }
  const good = lastGood(history, last.revision);
  if (!good) {
    await manager.uninstall(target, name, options);
    return `Removed the incomplete installation of ${name.release}.`;
  }
  await manager.rollback(target, name, good.revision, options);
  return `Rolled back ${name.release} to revision ${good.revision} (${good.chart} ${good.version}).`;
}

/** Empty if the release does not exist. */
export async function historyOf(
  { manager, target }: Pick<AddonCluster, 'manager' | 'target'>,
  name: ReleaseName,
): Promise<ReleaseRevision[]> {
  try {
    return await manager.history(target, name);
  } catch (error) {
    if (hasCode(error, 'addon_not_found')) return [];
    throw error;
  }
}

/** Whether an installation failed because the release exists. That release is not the job's to remove. */
export function isTaken(error: unknown): boolean {
  return hasCode(error, 'release_exists');
}
