import type { JobDto, JobKind } from '../api/api-types';

const CREATED = $localize`Slipway removes everything created so far: containers, volumes and the saved config.`;

/** The effect of canceling a job, before the user confirms. The server names the job and reports its outcome. */
export const IF_CANCELED: Readonly<Record<JobKind, string>> = {
  create: CREATED,
  recreate: $localize`Nothing changes until the old nodes are removed. After that, the cluster is deleted and only its saved config is kept; recreate it to start over.`,
  delete: $localize`The job stops. Removed resources stay removed; delete the cluster again to finish.`,
  start: $localize`The job stops. Started nodes keep running.`,
  stop: $localize`The job stops. Stopped nodes stay stopped.`,
  pause: $localize`Paused nodes resume.`,
  unpause: $localize`The job stops. Resumed nodes keep running.`,
  clone: CREATED,
  prune: $localize`The job stops. Removed resources stay removed.`,
  drain: $localize`The job stops. Evicted Pods do not return, and the node stays cordoned.`,
  'load-images': $localize`The job stops. Images that were already loaded stay on the nodes.`,
  'addon-install': $localize`Slipway removes the release and its resources. CRDs and addons that it requires stay.`,
  'addon-upgrade': $localize`Slipway rolls the release back to its previous revision.`,
  'addon-rollback': $localize`Slipway restores the current revision.`,
  'addon-uninstall': $localize`The job stops. Removed resources stay removed; uninstall the addon again to finish.`,
};

/** The effect of canceling a job at its present step: also a start recreates a cluster whose config has changed. */
export function ifCanceled(job: JobDto): string {
  if (job.state === 'queued' && IF_CANCELED[job.kind] !== CREATED) {
    return $localize`The job has not started. Nothing changes.`;
  }
  const removal = removalOf(job);
  if (removal?.name === LEFTOVERS) {
    return $localize`Slipway removes the containers and volumes created so far. The saved config is kept.`;
  }
  switch (removal?.state) {
    case undefined:
      return IF_CANCELED[job.kind];
    case 'pending':
      return IF_CANCELED.recreate;
    case 'running':
      return $localize`Slipway is removing the old nodes. If one of them is gone, it removes the others too, and the cluster is left without nodes. Its saved config is kept.`;
    default:
      return $localize`The old nodes are already removed. Slipway removes the new ones too, and the cluster is left without nodes. Its saved config is kept.`;
  }
}

export function cancelLabel(job: JobDto): string {
  const removal = removalOf(job);
  return removal?.state === 'succeeded' && removal.name !== LEFTOVERS
    ? $localize`Cancel: the old nodes are already removed`
    : $localize`Cancel job`;
}

/** The step of a recreation that removes the rest of the cluster, if it has no nodes. */
const LEFTOVERS = 'removing-leftovers';

export function removalOf({ progress_steps: steps }: JobDto): JobDto['progress_steps'][number] | undefined {
  return steps.find(({ name }) => name === 'removing-old-nodes' || name === LEFTOVERS);
}

/** The current step of a job, or its outcome. */
export function jobNow({ state, cancelling, message, progress_step }: JobDto): string {
  if (message !== null) return message;
  if (state === 'queued') return $localize`Queued`;
  if (cancelling) return $localize`Canceling`;
  return progress_step ?? $localize`Starting`;
}
