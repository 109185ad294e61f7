import { inject, Service } from '@angular/core';
import { Router } from '@angular/router';
import { Api, clusterKey, type ClusterKey, clusterPage } from '../../shared/api/api';
import { ApiProblem } from '../../shared/api/api-problem';
import type {
  AppliedLabelsDto,
  ClusterDto,
  DeletionDto,
  RecreationCheckDto,
} from '../../shared/api/api-types';
import { ClustersStore, sameCluster } from '../../shared/live/clusters-store';
import { JobsStore } from '../../shared/live/jobs-store';
import { Confirm } from '../../shared/ui/confirm';
import type { Question } from '../../shared/ui/confirm-dialog';
import { Dialogs } from '../../shared/ui/dialogs';
import { type ToastAction, Toaster } from '../../shared/ui/toaster';
import type { Review } from '../editor/review-dialog';
import { JobScreen } from '../job-handle/job-screen';
import type { ClusterAction } from './available-actions';
import { changeCluster, type ClusterChange } from './change-cluster';
import {
  deleteQuestion,
  problemSentence,
  rebuiltConfigQuestion,
  recreateQuestion,
  stopQuestion,
} from './questions';
import { containerCount, volumeCount } from '../../shared/format/format';

/** A deletion that takes longer opens the job screen. */
const PATIENCE_MS = 2500;

/** Runs the actions on a cluster: confirms destructive ones, opens the job screen and shows errors. */
@Service()
export class ClusterActions {
  private readonly api = inject(Api);
  private readonly clusters = inject(ClustersStore);
  private readonly confirm = inject(Confirm);
  private readonly dialogs = inject(Dialogs);
  private readonly jobs = inject(JobsStore);
  private readonly router = inject(Router);
  private readonly screen = inject(JobScreen);
  private readonly toaster = inject(Toaster);

  /** @returns whether the action was started; for a deletion, whether the cluster is deleted */
  run(action: ClusterAction, cluster: ClusterDto): Promise<boolean> {
    switch (action) {
      case 'stop':
        return this.start(action, cluster, stopQuestion(cluster));
      case 'start':
      case 'pause':
      case 'unpause':
        return this.start(action, cluster);
      case 'reapply':
      case 'recreate':
        return this.recreate(action, cluster);
      case 'delete':
        return this.delete(cluster);
    }
  }

  clone({ name, runtime }: ClusterKey): Promise<void> {
    return this.screen.openAfter(() => import('../clone/clone-dialog').then((file) => file.CloneDialog), {
      data: { name, runtime },
      width: '600px',
    });
  }

  loadImages({ name, runtime }: ClusterKey): Promise<void> {
    return this.screen.openAfter(() => import('./load-images-dialog').then((file) => file.LoadImagesDialog), {
      data: { name, runtime },
      autoFocus: 'input',
      width: '720px',
    });
  }

  /** Sets the labels of the saved config on the running nodes, after showing what that changes. */
  async applyLabels(cluster: ClusterDto): Promise<void> {
    const { name } = cluster;
    const failure = $localize`Could not apply the labels of ${name}:cluster:.`;
    await this.attempt(failure, async () => {
      const apply = (dryRun: boolean): Promise<AppliedLabelsDto> =>
        this.api.send('POST /api/v1/clusters/{name}/config/labels', {
          ...clusterKey(cluster),
          dry_run: dryRun,
        });
      const review: Review = {
        title: $localize`Apply the labels of ${name}:cluster: now?`,
        text: $localize`Nodes and Pods keep running. The scheduler uses the labels for new Pods only.`,
        action: $localize`Apply labels`,
        result: await apply(true),
      };
      const isConfirmed = await this.dialogs.open<true>(
        () => import('../editor/review-dialog').then((file) => file.ReviewDialog),
        { data: review, width: '640px' },
      );
      if (!isConfirmed) return;
      const { message, warnings } = await apply(false);
      this.toaster.done(message, warnings.join(' '));
      await this.clusters.live.reload();
    });
  }

  private async recreate(change: 'reapply' | 'recreate', cluster: ClusterDto): Promise<boolean> {
    let check: RecreationCheckDto;
    try {
      if (
        cluster.origin === 'adopted' &&
        (await this.api.get('/api/v1/clusters/{name}/config', clusterKey(cluster))).source === 'rebuilt'
      ) {
        if (await this.confirm.ask(rebuiltConfigQuestion(cluster))) {
          void this.router.navigateByUrl(clusterPage(cluster, 'config'));
        }
        return false;
      }
      check = await this.api.get('/api/v1/clusters/{name}/recreate/check', clusterKey(cluster));
    } catch (error) {
      this.toaster.problem(error, FAILED[change](cluster.name), this.remedyOf(error));
      return false;
    }
    if (!check.acceptable) {
      const problems = check.problems.map((problem) => problemSentence(cluster, problem));
      this.toaster.failed(FAILED[change](cluster.name), problems.join(' '));
      return false;
    }
    return this.start(change, cluster, recreateQuestion(cluster, check));
  }

  /** @param question asked first, unless the user has already confirmed or nothing is lost */
  async start(change: ClusterChange, cluster: ClusterDto, question?: Question): Promise<boolean> {
    if (question && !(await this.confirm.ask(question))) return false;
    const isStarted = await this.attempt(FAILED[change](cluster.name), async () => {
      const { job_id: id } = await changeCluster(this.api, cluster, change);
      await this.screen.open(id);
    });
    void this.clusters.live.reload();
    return isStarted;
  }

  private async delete(cluster: ClusterDto): Promise<boolean> {
    if (!(await this.confirm.ask(deleteQuestion(cluster)))) return false;
    const screen = setTimeout(() => this.openDeletion(cluster), PATIENCE_MS);
    let isDeleted = false;
    await this.attempt(FAILED.delete(cluster.name), async () => {
      const result = await this.api.send('DELETE /api/v1/clusters/{name}', clusterKey(cluster));
      if (!('deleted' in result)) return;
      this.toaster.done($localize`${cluster.name}:cluster: was deleted.`, removedSentence(result));
      isDeleted = true;
    });
    clearTimeout(screen);
    void this.clusters.live.reload();
    return isDeleted;
  }

  /** As `Toaster.attempt`, with a button for what helps. */
  attempt(failure: string, work: () => Promise<unknown>): Promise<boolean> {
    return this.toaster.attempt(failure, work, (thrown) => this.remedyOf(thrown));
  }

  /** The remedy after an error: the page of the running job, or Diagnostics if the engine does not respond. */
  remedyOf(thrown: unknown): ToastAction | null {
    const { jobId, status } = ApiProblem.of(thrown);
    if (jobId !== null) {
      return { text: $localize`View job ${jobId}:job:`, run: () => void this.screen.open(jobId) };
    }
    if (status !== 503) return null;
    return { text: $localize`Diagnostics`, run: () => void this.router.navigateByUrl('/diagnostics') };
  }

  private openDeletion(cluster: ClusterKey): void {
    const job = this.jobs
      .active()
      .find(
        ({ kind, cluster: name, runtime }) => kind === 'delete' && sameCluster({ name, runtime }, cluster),
      );
    if (job) void this.screen.open(job.id);
  }
}

const FAILED: Readonly<Record<ClusterAction, (name: string) => string>> = {
  start: (name) => $localize`Could not start ${name}:cluster:.`,
  reapply: (name) => $localize`Could not start ${name}:cluster: with its new config.`,
  stop: (name) => $localize`Could not stop ${name}:cluster:.`,
  pause: (name) => $localize`Could not pause ${name}:cluster:.`,
  unpause: (name) => $localize`Could not unpause ${name}:cluster:.`,
  recreate: (name) => $localize`Could not recreate ${name}:cluster:.`,
  delete: (name) => $localize`Could not delete ${name}:cluster:.`,
};

function removedSentence({ removed: { containers, volumes } }: DeletionDto): string {
  return $localize`Removed ${containerCount(containers.length)}:containers: and ${volumeCount(volumes.length)}:volumes:.`;
}
