import type { ClusterDto } from '../../../shared/api/api-types';
import { plural, sentenceList } from '../../../shared/format/format';
import type { Question } from '../../../shared/ui/confirm-dialog';
import { STATE_STYLES } from '../../../shared/ui/state-styles';
import { actionsOf, type ClusterAction } from '../../cluster-actions/available-actions';

export const BULK_ACTIONS = ['start', 'stop', 'pause', 'unpause', 'delete'] as const;
export type BulkAction = Extract<ClusterAction, (typeof BULK_ACTIONS)[number]>;

interface BulkLabels {
  text: string;
  /** Before a count of clusters. */
  doing: string;
  /** After a count of clusters. */
  done: string;
}

export const BULK_LABELS: Readonly<Record<BulkAction, BulkLabels>> = {
  start: { text: $localize`Start`, doing: $localize`Starting`, done: $localize`started` },
  stop: { text: $localize`Stop`, doing: $localize`Stopping`, done: $localize`stopped` },
  pause: { text: $localize`Pause`, doing: $localize`Pausing`, done: $localize`paused` },
  unpause: { text: $localize`Unpause`, doing: $localize`Unpausing`, done: $localize`unpaused` },
  delete: { text: $localize`Delete`, doing: $localize`Deleting`, done: $localize`deleted` },
};

export interface BulkPlan {
  action: BulkAction;
  /** The clusters whose state allows the action. */
  clusters: readonly ClusterDto[];
  skipped: readonly { cluster: ClusterDto; reason: string }[];
}

export function planBulk(action: BulkAction, clusters: readonly ClusterDto[]): BulkPlan {
  const allowed = clusters.filter((cluster) => actionsOf(cluster).some((offer) => offer.action === action));
  const skipped = clusters
    .filter((cluster) => !allowed.includes(cluster))
    .map((cluster) => ({ cluster, reason: skipReason(cluster) }));
  return { action, clusters: allowed, skipped };
}

function skipReason({ state, runtime, active_job_id }: ClusterDto): string {
  if (active_job_id !== null) return $localize`a job is running`;
  if (state === 'unknown') return $localize`${runtime}:engine: does not respond`;
  return STATE_STYLES[state].word.toLowerCase();
}

/** The confirmation; undefined if nothing is lost and no cluster is adopted. */
export function bulkQuestion({ action, clusters, skipped }: BulkPlan): Question | undefined {
  const count = plural(clusters.length, 'cluster');
  const adopted = clusters.filter(({ origin }) => origin === 'adopted').map(({ name }) => name);
  const isDelete = action === 'delete';
  if (!isDelete && (action !== 'stop' || adopted.length === 0)) return undefined;
  const names = sentenceList(adopted);
  const skips = sentenceList(skipped.map(({ cluster, reason }) => `${cluster.name} (${reason})`));
  return {
    title: isDelete ? $localize`Delete ${count}:clusters:?` : $localize`Stop ${count}:clusters:?`,
    text: [
      isDelete ? $localize`This cannot be undone.` : $localize`No data is lost.`,
      ...(names ? [$localize`Created outside Slipway, so others may use them: ${names}:clusters:.`] : []),
      ...(skips ? [$localize`Skipped: ${skips}:clusters:.`] : []),
    ],
    losses: isDelete ? clusters.map(lossesOf) : [],
    action: isDelete ? $localize`Delete ${count}:clusters:` : $localize`Stop ${count}:clusters:`,
    danger: isDelete,
  };
}

function lossesOf({ name, runtime, nodes, origin }: ClusterDto): string {
  const containers = $localize`${plural(nodes.length, 'container')}:containers: in ${runtime}:engine: with all workloads and volumes`;
  const losses = [
    ...(nodes.length > 0 ? [containers] : []),
    ...(origin === 'created' ? [$localize`saved config`] : []),
  ];
  return `${name}: ${losses.join(', ')}`;
}
