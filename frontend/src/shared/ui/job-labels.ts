import type { JobDto, JobKind } from '../api/api-types';

interface JobLabels {
  /** The action, as lists name it. */
  verb: string;
  /** A word between the action and the cluster's name. */
  before?: string;
  /** While it runs, before the cluster's name. */
  doing: string;
  /** On success, after the cluster's name. */
  done: string;
  /** On failure, after the cluster's name. */
  failed: string;
  /** The result of a success, as a sentence. */
  outcome: string;
  /** The effect of canceling it, before the user confirms. */
  ifCancelled: string;
  /** While it is being canceled; `stopping` by default. */
  whileCancelled?: string;
  /** After it was canceled. */
  onceCancelled: string;
}

const CREATE: JobLabels = {
  verb: $localize`Create`,
  doing: $localize`Creating`,
  done: $localize`is running`,
  failed: $localize`could not be created`,
  outcome: $localize`All steps are complete.`,
  ifCancelled: $localize`Slipway removes everything created so far: containers, volumes and the saved config.`,
  whileCancelled: $localize`removing created resources`,
  onceCancelled: $localize`Everything that the job created was removed.`,
};

export const JOB_LABELS: Readonly<Record<JobKind, JobLabels>> = {
  create: CREATE,
  recreate: {
    verb: $localize`Recreate`,
    doing: $localize`Recreating`,
    done: $localize`was recreated`,
    failed: $localize`could not be recreated`,
    outcome: $localize`Recreated from its saved config.`,
    ifCancelled: $localize`Nothing changes until the old nodes are removed. After that, the cluster is deleted and only its saved config is kept; recreate it to start over.`,
    whileCancelled: $localize`removing created resources, keeping the saved config`,
    onceCancelled: $localize`The saved config is kept. Recreate the cluster to try again.`,
  },
  delete: {
    verb: $localize`Delete`,
    doing: $localize`Deleting`,
    done: $localize`was deleted`,
    failed: $localize`could not be deleted`,
    outcome: $localize`All of its resources were removed.`,
    ifCancelled: $localize`The job stops. Removed resources stay removed; delete the cluster again to finish.`,
    onceCancelled: $localize`Removed resources stay removed.`,
  },
  start: {
    verb: $localize`Start`,
    doing: $localize`Starting`,
    done: $localize`was started`,
    failed: $localize`could not be started`,
    outcome: $localize`Its nodes are running.`,
    ifCancelled: $localize`The job stops. Started nodes keep running.`,
    onceCancelled: $localize`Started nodes keep running.`,
  },
  stop: {
    verb: $localize`Stop`,
    doing: $localize`Stopping`,
    done: $localize`is stopped`,
    failed: $localize`could not be stopped`,
    outcome: $localize`It stays stopped until it is started again.`,
    ifCancelled: $localize`The job stops. Stopped nodes stay stopped.`,
    onceCancelled: $localize`Stopped nodes stay stopped.`,
  },
  pause: {
    verb: $localize`Pause`,
    doing: $localize`Pausing`,
    done: $localize`is paused`,
    failed: $localize`could not be paused`,
    outcome: $localize`It keeps its memory, uses no CPU and does not respond until it is unpaused.`,
    ifCancelled: $localize`Paused nodes resume.`,
    whileCancelled: $localize`resuming paused nodes`,
    onceCancelled: $localize`Paused nodes resume.`,
  },
  unpause: {
    verb: $localize`Unpause`,
    doing: $localize`Unpausing`,
    done: $localize`was unpaused`,
    failed: $localize`could not be unpaused`,
    outcome: $localize`Its nodes are running again.`,
    ifCancelled: $localize`The job stops. Resumed nodes keep running.`,
    onceCancelled: $localize`Resumed nodes keep running.`,
  },
  clone: {
    ...CREATE,
    verb: $localize`Clone`,
    before: $localize`into`,
    doing: $localize`Cloning into`,
  },
  prune: {
    verb: $localize`Prune`,
    doing: $localize`Pruning`,
    done: $localize`is pruned`,
    failed: $localize`could not be pruned`,
    outcome: $localize`Unused resources were removed.`,
    ifCancelled: $localize`The job stops. Removed resources stay removed.`,
    onceCancelled: $localize`Removed resources stay removed.`,
  },
  drain: {
    verb: $localize`Drain a node`,
    before: $localize`of`,
    doing: $localize`Draining a node of`,
    done: $localize`has a drained node`,
    failed: $localize`could not drain its node`,
    outcome: $localize`The node is cordoned, and its Pods were evicted.`,
    ifCancelled: $localize`The job stops. Evicted Pods do not return, and the node stays cordoned.`,
    onceCancelled: $localize`Evicted Pods do not return. The node stays cordoned until you uncordon it.`,
  },
  'load-images': {
    verb: $localize`Load images`,
    before: $localize`into`,
    doing: $localize`Loading images into`,
    done: $localize`has the images`,
    failed: $localize`could not load all images`,
    outcome: $localize`All nodes report the images.`,
    ifCancelled: $localize`The job stops. Images that were already loaded stay on the nodes.`,
    onceCancelled: $localize`Images that were already loaded stay on the nodes.`,
  },
  'addon-install': {
    verb: $localize`Install an addon`,
    before: $localize`into`,
    doing: $localize`Installing an addon into`,
    done: $localize`has the addon`,
    failed: $localize`could not install the addon`,
    outcome: $localize`Its release is deployed and ready.`,
    ifCancelled: $localize`Slipway removes the release and its resources.`,
    whileCancelled: $localize`removing the release`,
    onceCancelled: $localize`The release was removed.`,
  },
  'addon-upgrade': {
    verb: $localize`Upgrade an addon`,
    before: $localize`of`,
    doing: $localize`Upgrading an addon of`,
    done: $localize`has the upgraded addon`,
    failed: $localize`could not upgrade the addon`,
    outcome: $localize`The new revision is deployed and ready.`,
    ifCancelled: $localize`Slipway rolls the release back to its previous revision.`,
    whileCancelled: $localize`rolling back the release`,
    onceCancelled: $localize`The release was rolled back to its previous revision.`,
  },
  'addon-rollback': {
    verb: $localize`Roll back an addon`,
    before: $localize`on`,
    doing: $localize`Rolling back an addon on`,
    done: $localize`has the earlier addon revision`,
    failed: $localize`could not roll back the addon`,
    outcome: $localize`The earlier revision is deployed and ready.`,
    ifCancelled: $localize`Slipway restores the current revision.`,
    whileCancelled: $localize`restoring the revision`,
    onceCancelled: $localize`The previous revision was restored.`,
  },
  'addon-uninstall': {
    verb: $localize`Uninstall an addon`,
    before: $localize`from`,
    doing: $localize`Uninstalling an addon from`,
    done: $localize`no longer has the addon`,
    failed: $localize`still has the addon`,
    outcome: $localize`The release and its resources were removed.`,
    ifCancelled: $localize`The job stops. Removed resources stay removed; uninstall the addon again to finish.`,
    onceCancelled: $localize`Removed resources stay removed.`,
  },
};

/** Title of a job, such as `Create staging`. */
export function jobTitle(job: Pick<JobDto, 'kind' | 'cluster' | 'runtime'>): string {
  const { verb, before } = JOB_LABELS[job.kind];
  return [verb, before, jobSubject(job)].filter(Boolean).join(' ');
}

export function jobSubject({ cluster, runtime }: Pick<JobDto, 'cluster' | 'runtime'>): string {
  return cluster || runtime;
}

export function cancelingStep(kind: JobKind): string {
  return JOB_LABELS[kind].whileCancelled ?? $localize`stopping`;
}

export function jobNow({ kind, state, cancelling, progress_step }: JobDto): string {
  if (state === 'queued') return $localize`Queued`;
  if (cancelling) return $localize`Canceling: ${cancelingStep(kind)}:step:`;
  return progress_step ?? $localize`Starting`;
}
