import type { ClusterDto } from '../../../shared/api/api-types';
import { clusterCount, containerCount, formatList } from '../../../shared/format/format';
import type { Question } from '../../../shared/ui/confirm-dialog';
import { STATE_STYLES } from '../../../shared/ui/state-styles';
import { actionsOf, type ClusterAction } from '../../cluster-actions/available-actions';

export const BULK_ACTIONS = ['start', 'stop', 'pause', 'unpause', 'delete'] as const;
export type BulkAction = Extract<ClusterAction, (typeof BULK_ACTIONS)[number]>;

interface BulkLabels {
  text: string;
  /** @param clusters such as `3 clusters` or `2 of 3 clusters` */
  button: (clusters: string) => string;
  doing: (clusters: string) => string;
  done: (clusters: string) => string;
}

export const BULK_LABELS: Readonly<Record<BulkAction, BulkLabels>> = {
  start: {
    text: $localize`Start`,
    button: (clusters) => $localize`Start ${clusters}:clusters:`,
    doing: (clusters) => $localize`Starting ${clusters}:clusters:`,
    done: (clusters) => $localize`${clusters}:clusters: started`,
  },
  stop: {
    text: $localize`Stop`,
    button: (clusters) => $localize`Stop ${clusters}:clusters:`,
    doing: (clusters) => $localize`Stopping ${clusters}:clusters:`,
    done: (clusters) => $localize`${clusters}:clusters: stopped`,
  },
  pause: {
    text: $localize`Pause`,
    button: (clusters) => $localize`Pause ${clusters}:clusters:`,
    doing: (clusters) => $localize`Pausing ${clusters}:clusters:`,
    done: (clusters) => $localize`${clusters}:clusters: paused`,
  },
  unpause: {
    text: $localize`Unpause`,
    button: (clusters) => $localize`Unpause ${clusters}:clusters:`,
    doing: (clusters) => $localize`Unpausing ${clusters}:clusters:`,
    done: (clusters) => $localize`${clusters}:clusters: unpaused`,
  },
  delete: {
    text: $localize`Delete`,
    button: (clusters) => $localize`Delete ${clusters}:clusters:`,
    doing: (clusters) => $localize`Deleting ${clusters}:clusters:`,
    done: (clusters) => $localize`${clusters}:clusters: deleted`,
  },
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

function skipReason({ state, runtime, active_job_id, external }: ClusterDto): string {
  if (external) return $localize`Slipway does not manage its nodes`;
  if (active_job_id !== null) return $localize`a job is running`;
  if (state === 'unknown') return $localize`${runtime}:engine: does not respond`;
  return STATE_STYLES[state].word.toLowerCase();
}

/** The confirmation; undefined if nothing is lost and no cluster is adopted. */
export function bulkQuestion({ action, clusters, skipped }: BulkPlan): Question | undefined {
  const count = clusterCount(clusters.length);
  const adopted = clusters.filter(({ origin }) => origin === 'adopted').map(({ name }) => name);
  const isDelete = action === 'delete';
  if (!isDelete && (action !== 'stop' || adopted.length === 0)) return undefined;
  const names = formatList(adopted);
  const skips = formatList(skipped.map(({ cluster, reason }) => `${cluster.name} (${reason})`));
  return {
    title: isDelete ? $localize`Delete ${count}:clusters:?` : $localize`Stop ${count}:clusters:?`,
    text: [
      isDelete ? $localize`This cannot be undone.` : $localize`No data is lost.`,
      ...(names ? [$localize`Created outside Slipway, so others may use them: ${names}:clusters:.`] : []),
      ...(skips ? [$localize`Skipped: ${skips}:clusters:.`] : []),
    ],
    losses: isDelete ? clusters.map(lossesOf) : [],
    action: BULK_LABELS[action].button(count),
    danger: isDelete,
  };
}

function lossesOf({ name, runtime, nodes, origin }: ClusterDto): string {
  const containers = $localize`${containerCount(nodes.length)}:containers: in ${runtime}:engine: with all workloads and volumes`;
  const losses = [
    ...(nodes.length > 0 ? [containers] : []),
    ...(origin === 'created' ? [$localize`saved config`] : []),
  ];
  return `${name}: ${losses.join(', ')}`;
}
