import type { ClusterDto } from '../../../shared/api/api-types';
import { plural, sentenceList } from '../../../shared/format/format';
import type { Question } from '../../../shared/ui/confirm-dialog';
import { STATE_STYLES } from '../../../shared/ui/state-styles';
import { actionsOf, type ClusterAction } from '../../cluster-actions/available-actions';

/** What can be asked of several clusters at once. */
export const BULK_ACTIONS = ['start', 'stop', 'pause', 'unpause', 'delete'] as const;
export type BulkAction = Extract<ClusterAction, (typeof BULK_ACTIONS)[number]>;

interface BulkWords {
  text: string;
  /** Before a count of clusters. */
  doing: string;
  /** After a count of clusters. */
  done: string;
}

export const BULK_WORDS: Readonly<Record<BulkAction, BulkWords>> = {
  start: { text: 'Start', doing: 'Starting', done: 'started' },
  stop: { text: 'Stop', doing: 'Stopping', done: 'stopped' },
  pause: { text: 'Pause', doing: 'Pausing', done: 'paused' },
  unpause: { text: 'Unpause', doing: 'Unpausing', done: 'unpaused' },
  delete: { text: 'Delete', doing: 'Deleting', done: 'deleted' },
};

export interface BulkPlan {
  action: BulkAction;
  /** Those that it is done with. */
  clusters: readonly ClusterDto[];
  /** Those that are left out, and why. */
  skipped: readonly { cluster: ClusterDto; why: string }[];
}

/** Parts those whose state allows it from those that are left out. */
export function planBulk(action: BulkAction, clusters: readonly ClusterDto[]): BulkPlan {
  const fit = clusters.filter((cluster) => allows(action, cluster));
  return {
    action,
    clusters: fit,
    skipped: clusters
      .filter((cluster) => !fit.includes(cluster))
      .map((cluster) => ({ cluster, why: whyNot(cluster) })),
  };
}

function allows(action: BulkAction, cluster: ClusterDto): boolean {
  return actionsOf(cluster).some((offer) => offer.action === action);
}

function whyNot({ state, runtime, active_job_id }: ClusterDto): string {
  if (active_job_id !== null) return 'a job is at work on it';
  if (state === 'unknown') return `${runtime} does not answer`;
  return `it is ${STATE_STYLES[state].word.toLowerCase()}`;
}

/** One question for all of them, with everything that is lost; undefined where nothing is and nobody else is concerned. */
export function questionBeforeBulk({ action, clusters, skipped }: BulkPlan): Question | undefined {
  const count = plural(clusters.length, 'cluster');
  const left = skipped.length === 0 ? [] : [`Left out: ${listSkipped(skipped)}.`];
  const adopted = clusters.filter(({ origin }) => origin === 'adopted').map(({ name }) => name);
  switch (action) {
    case 'delete':
      return {
        title: `Delete ${count}?`,
        text: [
          ...(adopted.length > 0
            ? [
                `${sentenceList(adopted)} ${adopted.length === 1 ? 'was' : 'were'} made outside Slipway: whoever made ${adopted.length === 1 ? 'it' : 'them'} loses ${adopted.length === 1 ? 'it' : 'them'} too.`,
              ]
            : []),
          'This cannot be undone.',
          ...left,
        ],
        losses: clusters.map(lossLine),
        action: `Delete ${count}`,
        keep: clusters.length === 1 ? 'Keep it' : 'Keep them',
        danger: true,
      };
    case 'stop':
      if (adopted.length === 0) return undefined;
      return {
        title: `Stop ${count}?`,
        text: [
          `kind made ${sentenceList(adopted)} outside Slipway, so somebody else may be using ${adopted.length === 1 ? 'it' : 'them'}. Nothing is lost by a stop.`,
          ...left,
        ],
        action: `Stop ${count}`,
        keep: 'Leave them running',
      };
    case 'start':
    case 'pause':
    case 'unpause':
      return undefined;
  }
}

/** `beta (it is stopped) and gamma (a job is at work on it)` */
function listSkipped(skipped: BulkPlan['skipped']): string {
  return sentenceList(skipped.map(({ cluster, why }) => `${cluster.name} (${why})`));
}

function lossLine({ name, runtime, nodes, origin }: ClusterDto): string {
  const saved = origin === 'created' ? ', its saved config' : '';
  if (nodes.length === 0) return `${name}${saved}`;
  return `${name}: ${plural(nodes.length, 'container')} in ${runtime} with all that runs in ${nodes.length === 1 ? 'it' : 'them'} and every volume${saved}`;
}
