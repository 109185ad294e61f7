import type { ClusterDto, OverviewSummaryDto, StatsDto } from '../../shared/api/api-types';
import { formatElapsed, plural } from '../../shared/format/format';

/**
 * What follows the state's word under the title: since when, and what its nodes do.
 *
 * @param summary what the cluster itself says; its engine knows only of containers
 */
export function clusterSentence(cluster: ClusterDto, now: number, summary?: OverviewSummaryDto): string {
  const since =
    cluster.state_since === null ? '' : ` for ${formatElapsed(now - Date.parse(cluster.state_since))}`;
  switch (cluster.state) {
    case 'running':
      return `${since}${cluster.state_reason === null ? '' : `: ${cluster.state_reason}`}. ${readinessSentence(summary) ?? nodesSentence(cluster)}`;
    case 'paused':
    case 'stopped':
      return `${since}${cluster.state_reason === null ? '' : `: ${cluster.state_reason}`}. ${nodesSentence(cluster)}`;
    case 'degraded':
      return `${since}: ${cluster.state_reason ?? 'some nodes do not run'}. ${nodesSentence(cluster)}`;
    case 'creating':
    case 'starting':
    case 'stopping':
    case 'deleting':
      return `${since}${cluster.state_reason === null ? '' : `: ${cluster.state_reason}`}.`;
    case 'failed':
      return cluster.nodes_kept
        ? ': its creation did not end, and its nodes were kept.'
        : ': nothing of it runs.';
    case 'missing':
      return ': its containers are gone.';
    case 'unknown':
      return `: ${cluster.runtime} does not answer. What is shown was last seen before.`;
  }
}

/** `5 of 5 nodes are ready, and 34 of 36 pods.` */
function readinessSentence(summary: OverviewSummaryDto | undefined): string | undefined {
  if (!summary || summary.nodes === null || summary.nodes_ready === null) return undefined;
  const { nodes, nodes_ready, pods, pods_ready } = summary;
  const nodesPart = `${nodes_ready} of ${plural(nodes, 'node')} ${nodes_ready === 1 ? 'is' : 'are'} ready`;
  if (pods === null || pods_ready === null) return `${nodesPart}.`;
  return `${nodesPart}, and ${pods_ready} of ${plural(pods, 'pod')}.`;
}

/** Of Kubernetes' nodes: a load balancer is none, and where it fails the reason names it. */
function nodesSentence(cluster: ClusterDto): string {
  const nodes = cluster.nodes.filter(({ role }) => role !== 'external-load-balancer');
  const running = nodes.filter(({ state }) => state === 'running').length;
  if (nodes.length === 0) return 'It has no nodes.';
  if (nodes.length === 1) return running === 1 ? 'Its node runs.' : 'Its node does not run.';
  if (running === 2 && nodes.length === 2) return 'Both nodes run.';
  if (running === nodes.length) return `All ${nodes.length} nodes run.`;
  return `${running} of ${plural(nodes.length, 'node')} run.`;
}

/** The engine of a cluster as the figures know it. */
export function engineOf(
  stats: StatsDto | undefined,
  runtime: string,
): StatsDto['runtimes'][number] | undefined {
  return stats?.runtimes.find(({ id }) => id === runtime);
}
