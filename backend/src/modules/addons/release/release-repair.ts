import { DomainError } from '../../../core/errors/index.js';
import type {
  OperationOptions,
  ReleaseName,
  ReleaseRevision,
  ReleaseStatus,
} from '../../../drivers/package-manager/index.js';
import type { AddonCluster } from '../addon-clusters.js';

/** Whether an operation was cut short, or is at work now. */
export function isPending(status: ReleaseStatus): boolean {
  return status.startsWith('pending-') || status === 'uninstalling';
}

/** Revisions that worked once: what a release may go back to. */
export function lastGood(history: readonly ReleaseRevision[], besides?: number): ReleaseRevision | undefined {
  return history.find(
    ({ status, revision }) => revision !== besides && (status === 'deployed' || status === 'superseded'),
  );
}

/**
 * Puts right what an operation left that was cut short: a release that has worked goes back to how it did, a first
 * install is removed. One that is well is left alone.
 * @param to the revision to go back to, where it is known; without it the last that worked.
 * @returns what was done, in a sentence; null where there was nothing to do.
 */
export async function repair(
  { target, manager }: AddonCluster,
  name: ReleaseName,
  options: OperationOptions,
  { to, evenFailed = false }: { to?: number | undefined; evenFailed?: boolean } = {},
): Promise<string | null> {
  const history = await historyOf(() => manager.history(target, name));
  const [last] = history;
  if (!last || last.status === 'uninstalled') return null;
  if (!isPending(last.status) && !(evenFailed && last.status === 'failed')) return null;
  const good = history.find(({ revision }) => revision === to) ?? lastGood(history, last.revision);
  if (last.status === 'uninstalling' || !good) {
    await manager.uninstall(target, name, options);
    return last.status === 'uninstalling'
      ? `The removal of ${name.release} was cut short; it was finished.`
      : `${name.release} had never been whole, and was removed.`;
  }
  await manager.rollback(target, name, good.revision, options);
  return `${name.release} went back to revision ${good.revision} (${good.chart} ${good.version}).`;
}

/** One that is not there has no history. */
export async function historyOf(ask: () => Promise<ReleaseRevision[]>): Promise<ReleaseRevision[]> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof DomainError && error.code === 'addon_not_found') return [];
    throw error;
  }
}

/** Whether an installation found its name taken: what has that name is then not its own to remove. */
export function isTaken(error: unknown): boolean {
  return error instanceof DomainError && error.code === 'release_exists';
}
