import { inject, Service } from '@angular/core';
import { Api, type ClusterKey } from '../../shared/api/api';
import type { ClusterDto, DeletionDto } from '../../shared/api/api-types';
import { plural } from '../../shared/format/format';
import { ClustersStore, sameCluster } from '../../shared/live/clusters-store';
import { JobsStore } from '../../shared/live/jobs-store';
import { Confirm, type Question } from '../../shared/ui/confirm';
import { Toaster } from '../../shared/ui/toaster';
import { JobScreen } from '../job-screen/job-screen';

/** A deletion that takes longer than this is shown at work. */
const PATIENCE_MS = 2500;
const NAMED_NODES = 6;

/** What changes a cluster, from several pages. */
@Service()
export class ClusterActions {
  private readonly api = inject(Api);
  private readonly clusters = inject(ClustersStore);
  private readonly confirm = inject(Confirm);
  private readonly jobs = inject(JobsStore);
  private readonly screen = inject(JobScreen);
  private readonly toaster = inject(Toaster);

  /** Asks first, naming what is lost. Answers whether the cluster is gone. */
  async delete(cluster: ClusterDto): Promise<boolean> {
    if (!(await this.confirm.ask(questionBefore(cluster)))) return false;
    const screen = setTimeout(() => this.showWork(cluster), PATIENCE_MS);
    try {
      const result = await this.api.deleteCluster(cluster);
      if (!('deleted' in result)) return false;
      this.toaster.done(`${cluster.name} was deleted.`, removedSentence(result));
      return true;
    } catch (error) {
      this.toaster.problem(error, `${cluster.name} was not deleted.`);
      return false;
    } finally {
      clearTimeout(screen);
      void this.clusters.live.refresh();
    }
  }

  private showWork(cluster: ClusterKey): void {
    const job = this.jobs
      .active()
      .find(
        (active) =>
          active.kind === 'delete' && sameCluster({ name: active.cluster, runtime: active.runtime }, cluster),
      );
    if (job) void this.screen.open(job.id);
  }
}

/** Exported for its spec: what is lost is named before it is lost. */
export function questionBefore(cluster: ClusterDto): Question {
  const { name, runtime, nodes, origin } = cluster;
  const losses: string[] = [];
  if (nodes.length > 0) {
    const named = nodes.slice(0, NAMED_NODES).map((node) => node.name);
    const rest = nodes.length - named.length;
    losses.push(
      `${plural(nodes.length, 'container')} in ${runtime}: ${named.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`,
      'Everything that runs in it, and every volume and file that its nodes hold',
    );
  }
  if (origin === 'created') losses.push('Its saved config, provision log and kubeconfig');
  return {
    title: `Delete ${name}?`,
    text:
      origin === 'adopted'
        ? ['It was made outside Slipway. Whoever made it loses it too. This cannot be undone.']
        : ['This cannot be undone.'],
    losses,
    action: `Delete ${name}`,
    danger: true,
  };
}

function removedSentence({ removed }: DeletionDto): string {
  const { containers, volumes } = removed;
  return `${plural(containers.length, 'container')} and ${plural(volumes.length, 'volume')} were removed.`;
}
