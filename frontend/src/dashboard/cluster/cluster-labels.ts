import type { ClusterDto, JobDto, OverviewSummaryDto, StatsDto } from '../../shared/api/api-types';
import { removalOf } from '../../shared/ui/job-labels';
import { formatElapsed, nodeCount, podCount } from '../../shared/format/format';

/**
 * The text after the state below the title: for how long, why, and how many nodes are up.
 *
 * @param summary counts from the Kubernetes API; without it, the state of the containers is used
 */
export function clusterSentence(cluster: ClusterDto, now: number, summary?: OverviewSummaryDto): string {
  const { state, state_since, state_reason: reason, runtime, external } = cluster;
  // The page shows the reason below.
  if (external && state !== 'running') return '.';
  switch (state) {
    case 'failed':
      return cluster.nodes_kept
        ? `: ${$localize`the creation failed and its nodes were kept.`}`
        : `: ${$localize`the creation failed.`}`;
    case 'cancelled':
      return `: ${$localize`the creation was canceled. It has no nodes.`}`;
    case 'missing':
      return `: ${$localize`its containers were removed.`}`;
    case 'unknown':
      return `: ${$localize`${runtime}:engine: does not respond. This is the last known state.`}`;
    default: {
      // An external cluster ran before Slipway knew of it.
      const since =
        state_since === null || external
          ? ''
          : $localize` for ${formatElapsed(now - Date.parse(state_since))}:duration:`;
      const isChanging = ['creating', 'starting', 'stopping', 'deleting'].includes(state);
      const ready = state === 'running' ? readyNodes(summary) : undefined;
      const nodes = isChanging ? '' : (ready ?? runningNodes(cluster));
      return `${since}${reason === null ? '' : `: ${reason}`}. ${nodes}`.trimEnd();
    }
  }
}

/** `5 of 5 nodes and 34 of 36 pods are ready.` */
function readyNodes(summary: OverviewSummaryDto | undefined): string | undefined {
  if (!summary || summary.nodes === null || summary.nodes_ready === null) return undefined;
  const { nodes: all, nodes_ready: ready, pods, pods_ready } = summary;
  const nodes = $localize`${ready}:ready: of ${nodeCount(all)}:nodes:`;
  if (pods === null || pods_ready === null) return $localize`${nodes}:nodes: ready.`;
  return $localize`${nodes}:nodes: and ${pods_ready}:readyPods: of ${podCount(pods)}:pods: ready.`;
}

/** Counts Kubernetes nodes only, without a load balancer. */
function runningNodes(cluster: ClusterDto): string {
  const nodes = cluster.nodes.filter(({ role }) => role !== 'external-load-balancer');
  const running = nodes.filter(({ state }) => state === 'running').length;
  if (cluster.external) return '';
  if (nodes.length === 0) return $localize`No nodes.`;
  return $localize`${running}:running: of ${nodeCount(nodes.length)}:nodes: running.`;
}

/** Whether a job makes a cluster that was not there. */
export function isFirstCreation({ kind }: JobDto): boolean {
  return kind === 'create' || kind === 'clone';
}

/** Whether a job made the present nodes, or the state without them. A job that was canceled before changed nothing. */
export function isCreation(job: JobDto): boolean {
  if (isFirstCreation(job)) return true;
  const removal = removalOf(job);
  return removal !== undefined && (removal.state !== 'pending' || job.state === 'failed');
}

export function engineOf(
  stats: StatsDto | undefined,
  runtime: string,
): StatsDto['runtimes'][number] | undefined {
  return stats?.runtimes.find(({ id }) => id === runtime);
}
