import { Component, computed, inject, input } from '@angular/core';
import { RouterLink } from '@angular/router';
import type { ClusterKey } from '../../shared/api/api';
import { formatAgo } from '../../shared/format/format';
import { Clock } from '../../shared/live/clock';
import { JobsStore } from '../../shared/live/jobs-store';
import { JOB_LABELS } from '../../shared/ui/job-labels';
import { State } from '../../shared/ui/state';
import { jobSummary } from '../jobs/job-list';

const MOST = 8;

/** The jobs of one cluster, newest first. */
@Component({
  selector: 'sw-cluster-jobs',
  imports: [RouterLink, State],
  template: `
    <section class="panel" aria-labelledby="cluster-jobs-title">
      <div class="panel-head">
        <h2 id="cluster-jobs-title">Jobs</h2>
        <span class="n">{{ all().length }}</span>
      </div>
      @if (all().length === 0) {
        <p>
          No job of this cluster is kept.
          <a routerLink="/journal" [queryParams]="journal()">Its journal</a> goes back further.
        </p>
      } @else {
        <ul>
          @for (job of shown(); track job.id) {
            <li>
              <a routerLink="/jobs" [queryParams]="{ job: job.id }">
                <sw-state [state]="job.state" [ofWork]="true" [word]="false" />
                <b>{{ words[job.kind].verb }}</b>
                <span class="cut">{{ summary(job) }}</span>
                <span class="when">{{ when(job.created_at) }}</span>
              </a>
            </li>
          }
        </ul>
        <div class="panel-foot">
          @if (all().length > shown().length) {
            <span>{{ shown().length }} of {{ all().length }}</span>
          }
          <a routerLink="/journal" [queryParams]="journal()">Its journal</a>
        </div>
      }
    </section>
  `,
  styles: `
    li a {
      display: grid;
      grid-template-columns: 16px auto minmax(0, 1fr) auto;
      gap: 10px;
      align-items: center;
      min-height: 40px;
      padding: 4px 16px;
      border-top: 1px solid var(--line);
      color: var(--text);
      font-size: var(--fs-sm);
    }
    li a:hover {
      background: var(--hover);
      text-decoration: none;
    }
    li a:focus-visible {
      outline-offset: -2px;
    }
    b {
      font-weight: var(--fw-medium);
    }
    .cut,
    .when {
      color: var(--text-3);
    }
    .when {
      font-size: var(--fs-xs);
      white-space: nowrap;
    }
    p {
      padding: 2px 16px 14px;
      color: var(--text-2);
      font-size: var(--fs-sm);
    }
  `,
})
export class ClusterJobs {
  private readonly store = inject(JobsStore);
  private readonly clock = inject(Clock);
  readonly key = input.required<ClusterKey>();
  protected readonly all = computed(() => {
    const { name, runtime } = this.key();
    return this.store.jobs().filter((job) => job.cluster === name && job.runtime === runtime);
  });
  protected readonly shown = computed(() => this.all().slice(0, MOST));
  protected readonly words = JOB_LABELS;
  protected readonly journal = computed(() => ({ cluster: this.key().name, runtime: this.key().runtime }));

  constructor() {
    this.store.live.watch();
  }

  protected summary(job: Parameters<typeof jobSummary>[0]): string {
    return jobSummary(job, this.clock.now());
  }

  protected when(time: string): string {
    return formatAgo(time, this.clock.now());
  }
}
