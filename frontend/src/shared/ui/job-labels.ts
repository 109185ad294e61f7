import type { JobDto, JobKind } from '../api/api-types';

interface JobLabels {
  /** What was asked for, as lists name it. */
  verb: string;
  /** What stands between that and the cluster's name, if anything does. */
  before?: string;
  /** The same as a thing, after `Cancel the`. */
  noun: string;
  /** At work, before the cluster's name. */
  doing: string;
  /** After the cluster's name, when it succeeded. */
  done: string;
  /** After the cluster's name, when it did not. */
  failed: string;
  /** What one has after it succeeded, in a sentence. */
  outcome: string;
  /** What it means to cancel it, before one does. */
  ifCancelled: string;
  /** What goes on while it is being cancelled. */
  whileCancelled: string;
  /** What is left after it was cancelled. */
  onceCancelled: string;
}

/** Every kind of job, in words: a new kind is to be added here, and nowhere else, for all pages to know it. */
export const JOB_LABELS: Readonly<Record<JobKind, JobLabels>> = {
  create: {
    verb: 'Create',
    noun: 'creation',
    doing: 'Creating',
    done: 'is running',
    failed: 'could not be created',
    outcome: 'Every step of its creation is done.',
    ifCancelled: 'Everything that it made so far is removed: containers, volumes and its saved config.',
    whileCancelled: 'what it made is removed',
    onceCancelled: 'Everything that the job made was removed again.',
  },
  recreate: {
    verb: 'Recreate',
    noun: 'recreation',
    doing: 'Recreating',
    done: 'is running again, made anew',
    failed: 'could not be recreated',
    outcome: 'It was made again from its saved config.',
    ifCancelled:
      'Before the old nodes are removed, nothing changes. After that the cluster is gone; its saved config is kept, and recreating it starts over.',
    whileCancelled: 'what it made is removed, and the saved config is kept',
    onceCancelled: 'The saved config is kept. Recreate the cluster to try again.',
  },
  delete: {
    verb: 'Delete',
    noun: 'deletion',
    doing: 'Deleting',
    done: 'was deleted',
    failed: 'could not be deleted',
    outcome: 'Nothing of it is left.',
    ifCancelled:
      'It stops where it is. What was removed by then stays removed; delete the cluster again to finish.',
    whileCancelled: 'it stops where it is',
    onceCancelled: 'What was removed by then stays removed.',
  },
  start: {
    verb: 'Start',
    noun: 'start',
    doing: 'Starting',
    done: 'was started',
    failed: 'could not be started',
    outcome: 'Its nodes run.',
    ifCancelled: 'It stops where it is. Nodes that were started by then go on running.',
    whileCancelled: 'it stops where it is',
    onceCancelled: 'Nodes that were started by then go on running.',
  },
  stop: {
    verb: 'Stop',
    noun: 'stop',
    doing: 'Stopping',
    done: 'is stopped',
    failed: 'could not be stopped',
    outcome: 'It stays stopped until it is started again.',
    ifCancelled: 'It stops where it is. Nodes that were stopped by then stay stopped.',
    whileCancelled: 'it stops where it is',
    onceCancelled: 'Nodes that were stopped by then stay stopped.',
  },
  pause: {
    verb: 'Pause',
    noun: 'pause',
    doing: 'Pausing',
    done: 'is paused',
    failed: 'could not be paused',
    outcome: 'It keeps its memory, uses no CPU and answers nothing until it is unpaused.',
    ifCancelled: 'Nodes that were paused go on again.',
    whileCancelled: 'what was paused goes on again',
    onceCancelled: 'Nodes that were paused go on again.',
  },
  unpause: {
    verb: 'Unpause',
    noun: 'unpause',
    doing: 'Unpausing',
    done: 'was unpaused',
    failed: 'could not be unpaused',
    outcome: 'Its nodes go on where they were.',
    ifCancelled: 'It stops where it is. Nodes that go on by then stay so.',
    whileCancelled: 'it stops where it is',
    onceCancelled: 'Nodes that went on by then stay so.',
  },
  clone: {
    verb: 'Clone',
    before: 'into',
    noun: 'clone',
    doing: 'Cloning into',
    done: 'is running',
    failed: 'could not be made',
    outcome: 'Every step of its creation is done.',
    ifCancelled: 'Everything that it made so far is removed: containers, volumes and its saved config.',
    whileCancelled: 'what it made is removed',
    onceCancelled: 'Everything that the job made was removed again.',
  },
  prune: {
    verb: 'Prune',
    noun: 'prune',
    doing: 'Pruning',
    done: 'is pruned',
    failed: 'could not be pruned',
    outcome: 'What no cluster needed is removed.',
    ifCancelled: 'It stops where it is. What was removed by then stays removed.',
    whileCancelled: 'it stops where it is',
    onceCancelled: 'What was removed by then stays removed.',
  },
  drain: {
    verb: 'Drain a node',
    before: 'of',
    noun: 'drain',
    doing: 'Draining a node of',
    done: 'has an empty node',
    failed: 'did not empty its node',
    outcome: 'The node takes no new pods, and those that could leave it have left.',
    ifCancelled: 'It stops where it is. Pods that have left do not come back, and the node stays cordoned.',
    whileCancelled: 'it stops where it is',
    onceCancelled:
      'Pods that had left by then do not come back. The node stays cordoned until it is uncordoned.',
  },
  'load-images': {
    verb: 'Load images',
    before: 'into',
    noun: 'load',
    doing: 'Loading images into',
    done: 'has the images',
    failed: 'did not take all images',
    outcome: 'Its nodes were asked, and have them.',
    ifCancelled: 'It stops where it is. Images that a node has by then stay in it, and do no harm there.',
    whileCancelled: 'it stops where it is',
    onceCancelled: 'Images that a node had by then stay in it.',
  },
  'addon-install': {
    verb: 'Install an addon',
    before: 'into',
    noun: 'installation',
    doing: 'Installing an addon into',
    done: 'has the addon',
    failed: 'did not get the addon',
    outcome: 'Its release is deployed, and everything in it is ready.',
    ifCancelled: 'The release is removed again, with everything that it brought.',
    whileCancelled: 'the release is removed',
    onceCancelled: 'The release was removed again.',
  },
  'addon-upgrade': {
    verb: 'Upgrade an addon',
    before: 'of',
    noun: 'upgrade',
    doing: 'Upgrading an addon of',
    done: 'has the addon as wanted',
    failed: 'could not be given the addon as wanted',
    outcome: 'The new revision is deployed, and everything in it is ready.',
    ifCancelled: 'The release goes back to the revision before.',
    whileCancelled: 'the release goes back to the revision before',
    onceCancelled: 'The release went back to the revision before.',
  },
  'addon-rollback': {
    verb: 'Roll an addon back',
    before: 'on',
    noun: 'rollback',
    doing: 'Rolling an addon back on',
    done: 'has the addon as it was',
    failed: 'could not be given the addon as it was',
    outcome: 'The earlier revision is deployed again, and everything in it is ready.',
    ifCancelled: 'The release goes back to the revision that it has now.',
    whileCancelled: 'the release goes back',
    onceCancelled: 'The release went back to the revision that it had.',
  },
  'addon-uninstall': {
    verb: 'Remove an addon',
    before: 'from',
    noun: 'removal',
    doing: 'Removing an addon from',
    done: 'is without the addon',
    failed: 'still has the addon',
    outcome: 'The release is gone, with everything that it brought.',
    ifCancelled: 'What was removed by then stays removed; the release can be removed once more.',
    whileCancelled: 'it stops where it is',
    onceCancelled: 'What was removed by then stays removed.',
  },
};

/** `Create staging`: a job by what was asked for. */
export function jobTitle(job: Pick<JobDto, 'kind' | 'cluster' | 'runtime'>): string {
  const { verb, before } = JOB_LABELS[job.kind];
  return [verb, before, jobSubject(job)].filter(Boolean).join(' ');
}

/** What a job is about: a cluster, or an engine as a whole. */
export function jobSubject({ cluster, runtime }: Pick<JobDto, 'cluster' | 'runtime'>): string {
  return cluster || runtime;
}

/** What a job that has not ended does now. */
export function jobNow({ kind, state, cancelling, progress_step }: JobDto): string {
  if (state === 'queued') return 'Waits for its turn';
  if (cancelling) return `Being cancelled: ${JOB_LABELS[kind].whileCancelled}`;
  return progress_step ?? 'Begins';
}
