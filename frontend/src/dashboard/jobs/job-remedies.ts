import { Component, computed, inject, input } from '@angular/core';
import { Router } from '@angular/router';
import { clusterPage } from '../../shared/api/api';
import type { JobDto } from '../../shared/api/api-types';
import { ClustersStore } from '../../shared/live/clusters-store';
import { Icon } from '../../shared/ui/icon';
import { ClusterActions } from '../cluster-actions/cluster-actions';
import { CreateCluster } from '../create/create-cluster';
import { CreateStore } from '../create/create-store';
import { JobScreen } from '../job-handle/job-screen';
import { retryOf } from './retry-of';
import { PlainButton } from '../../shared/ui/plain-button';

/** The user's options after a job that did not succeed. */
@Component({
  selector: 'sw-job-remedies',
  imports: [Icon, PlainButton],
  template: `
    @if (retry()) {
      <button data-writes i18n class="btn" data-end (click)="run()"><sw-icon name="refresh" />Retry</button>
    } @else if (sent()) {
      <button data-writes i18n class="btn" data-end (click)="createAgain()">
        <sw-icon name="refresh" />Edit and retry
      </button>
    }
    @if (config(); as link) {
      <button i18n class="btn" (click)="open(link)">Edit config</button>
    }
  `,
  styles: `
    :host {
      display: contents;
    }
  `,
})
export class JobRemedies {
  private readonly actions = inject(ClusterActions);
  private readonly clusters = inject(ClustersStore);
  private readonly createCluster = inject(CreateCluster);
  private readonly created = inject(CreateStore);
  private readonly router = inject(Router);
  private readonly screen = inject(JobScreen);
  readonly job = input.required<JobDto>();

  private readonly cluster = computed(() => this.clusters.find(this.job().cluster, this.job().runtime));
  protected readonly retry = computed(() => retryOf(this.job(), this.cluster()));
  /** The form of a creation that left no cluster. */
  protected readonly sent = computed(() => {
    const sent = this.created.sent();
    const { id, state } = this.job();
    const isRemoved = ['failed', 'cancelled', 'interrupted'].includes(state) && !this.cluster();
    return isRemoved && sent?.jobId === id ? sent.model : undefined;
  });
  protected readonly config = computed(() => {
    const cluster = this.cluster();
    return cluster && this.retry() === 'recreate' ? clusterPage(cluster, 'config') : null;
  });

  constructor() {
    this.clusters.live.watch();
  }

  protected run(): void {
    const [cluster, action] = [this.cluster(), this.retry()];
    if (cluster && action) void this.actions.run(action, cluster);
  }

  protected open(link: string): void {
    void this.router.navigateByUrl(link, { replaceUrl: true });
  }

  protected async createAgain(): Promise<void> {
    const model = this.sent();
    if (!model) return;
    await this.screen.close();
    this.created.model.set(model);
    await this.createCluster.open();
  }
}
