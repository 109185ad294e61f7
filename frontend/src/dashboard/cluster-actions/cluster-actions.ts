import { inject, Service } from '@angular/core';
import { Router } from '@angular/router';
import { Api, type ClusterChange, type ClusterKey, clusterPage } from '../../shared/api/api';
import { ApiProblem } from '../../shared/api/api-problem';
import type { ClusterDto, DeletionDto, RecreationCheckDto } from '../../shared/api/api-types';
import { plural } from '../../shared/format/format';
import { ClustersStore, sameCluster } from '../../shared/live/clusters-store';
import { JobsStore } from '../../shared/live/jobs-store';
import { Confirm } from '../../shared/ui/confirm';
import type { Question } from '../../shared/ui/confirm-dialog';
import { Toaster, type ToastAction } from '../../shared/ui/toaster';
import { JobScreen } from '../job-screen/job-screen';
import type { ClusterAction } from './available-actions';
import {
  obstacle,
  questionBeforeDeletion,
  questionBeforeRecreation,
  questionBeforeStop,
  questionOfRebuiltConfig,
} from './questions';

/** A deletion that takes longer than this is shown at work. */
const PATIENCE_MS = 2500;

/** What changes a cluster, from several pages. Asks before anything is lost, and says what went wrong. */
@Service()
export class ClusterActions {
  private readonly api = inject(Api);
  private readonly clusters = inject(ClustersStore);
  private readonly confirm = inject(Confirm);
  private readonly jobs = inject(JobsStore);
  private readonly router = inject(Router);
  private readonly screen = inject(JobScreen);
  private readonly toaster = inject(Toaster);

  /** @returns whether it was begun; of a deletion, whether the cluster is gone */
  run(action: ClusterAction, cluster: ClusterDto): Promise<boolean> {
    switch (action) {
      case 'stop':
        return this.begin(action, cluster, questionBeforeStop(cluster));
      case 'start':
      case 'pause':
      case 'unpause':
        return this.begin(action, cluster, undefined);
      case 'reapply':
      case 'recreate':
        return this.remake(action, cluster);
      case 'delete':
        return this.delete(cluster);
    }
  }

  /** Once a person has agreed already, knowing what is lost. */
  runConfirmed(change: ClusterChange, cluster: ClusterDto): Promise<boolean> {
    return this.begin(change, cluster, undefined);
  }

  /** Asks the server what would be lost, and says what stands in the way before anything is touched. */
  private async remake(change: 'reapply' | 'recreate', cluster: ClusterDto): Promise<boolean> {
    let check: RecreationCheckDto;
    try {
      if (cluster.origin === 'adopted' && (await this.api.config(cluster)).source === 'rebuilt') {
        if (await this.confirm.ask(questionOfRebuiltConfig(cluster))) this.openConfig(cluster);
        return false;
      }
      check = await this.api.checkRecreation(cluster);
    } catch (error) {
      this.refuse(change, cluster, error);
      return false;
    }
    if (!check.acceptable) {
      const problems = check.problems.map((problem) => obstacle(cluster, problem));
      this.toaster.failed(`${cluster.name}: ${REFUSED[change]}.`, problems.join(' '));
      return false;
    }
    return this.begin(change, cluster, questionBeforeRecreation(cluster, check));
  }

  /** Takes the screen until the job has ended or a person sends it to the background. */
  private async begin(
    change: ClusterChange,
    cluster: ClusterDto,
    question: Question | undefined,
  ): Promise<boolean> {
    if (question && !(await this.confirm.ask(question))) return false;
    try {
      const { job_id: id } = await this.api.changeCluster(cluster, change);
      await this.screen.open(id);
      return true;
    } catch (error) {
      this.refuse(change, cluster, error);
      return false;
    } finally {
      void this.clusters.live.refresh();
    }
  }

  private refuse(change: ClusterChange, { name }: ClusterDto, error: unknown): void {
    this.toaster.problem(error, `${name}: ${REFUSED[change]}.`, this.wayOut(error));
  }

  private async delete(cluster: ClusterDto): Promise<boolean> {
    if (!(await this.confirm.ask(questionBeforeDeletion(cluster)))) return false;
    const screen = setTimeout(() => this.showWork(cluster), PATIENCE_MS);
    try {
      const result = await this.api.deleteCluster(cluster);
      if (!('deleted' in result)) return false;
      this.toaster.done(`${cluster.name} was deleted.`, removedSentence(result));
      return true;
    } catch (error) {
      this.toaster.problem(error, `${cluster.name} was not deleted.`, this.wayOut(error));
      return false;
    } finally {
      clearTimeout(screen);
      void this.clusters.live.refresh();
    }
  }

  /** What one can do about a refusal: look at the job that is in the way, or at the engine that is away. */
  wayOut(thrown: unknown): ToastAction | null {
    const { jobId, status } = ApiProblem.of(thrown);
    if (jobId !== null) return { text: `Watch job ${jobId}`, run: () => void this.screen.open(jobId) };
    if (status !== 503) return null;
    return { text: 'Diagnostics', run: () => void this.router.navigate(['/diagnostics']) };
  }

  private openConfig(cluster: ClusterKey): void {
    const { path, query } = clusterPage(cluster);
    void this.router.navigate([...path, 'config'], { queryParams: query });
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

const REFUSED: Readonly<Record<ClusterChange, string>> = {
  start: 'not started',
  reapply: 'not started',
  stop: 'not stopped',
  pause: 'not paused',
  unpause: 'not unpaused',
  recreate: 'not recreated',
};

function removedSentence({ removed }: DeletionDto): string {
  const { containers, volumes } = removed;
  return `${plural(containers.length, 'container')} and ${plural(volumes.length, 'volume')} were removed.`;
}
