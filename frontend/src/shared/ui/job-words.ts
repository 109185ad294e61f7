import type { JobDto, JobKind } from '../api/api-types';

interface JobWords {
  /** What was asked for, as lists name it. */
  verb: string;
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
export const JOB_WORDS: Readonly<Record<JobKind, JobWords>> = {
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
    verb: 'Clone into',
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
  'load-images': {
    verb: 'Load images into',
    noun: 'load',
    doing: 'Loading images into',
    done: 'has the images',
    failed: 'did not take all images',
    outcome: 'Its nodes were asked, and have them.',
    ifCancelled: 'It stops where it is. Images that a node has by then stay in it, and do no harm there.',
    whileCancelled: 'it stops where it is',
    onceCancelled: 'Images that a node had by then stay in it.',
  },
};

/** `Create staging`: a job by what was asked for. */
export function jobTitle(job: Pick<JobDto, 'kind' | 'cluster' | 'runtime'>): string {
  return `${JOB_WORDS[job.kind].verb} ${jobSubject(job)}`;
}

/** What a job is about: a cluster, or an engine as a whole. */
export function jobSubject({ cluster, runtime }: Pick<JobDto, 'cluster' | 'runtime'>): string {
  return cluster || runtime;
}

/** What a job that has not ended does now. */
export function jobNow({ kind, state, cancelling, progress_step }: JobDto): string {
  if (state === 'queued') return 'Waits for its turn';
  if (cancelling) return `Being cancelled: ${JOB_WORDS[kind].whileCancelled}`;
  return progress_step ?? 'Begins';
}
