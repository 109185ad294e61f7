import { Component, computed, inject, input } from '@angular/core';
import { RouterLink } from '@angular/router';
import type { ClusterKey } from '../../shared/api/api';
import { Clock } from '../../shared/browser/clock';
import { JobsStore } from '../../shared/live/jobs-store';
import { UI } from '../../shared/ui/ui';
import { jobMark, jobSummary } from '../jobs/job-list';

const MOST = 8;

@Component({
  selector: 'sw-cluster-jobs',
  imports: [RouterLink, UI],
  template: `
    <section class="panel" aria-labelledby="cluster-jobs-title">
      <div class="panel-head">
        <h2 i18n id="cluster-jobs-title">Jobs</h2>
        <span class="n">{{ all().length }}</span>
      </div>
      <ul class="item-list">
        @for (job of shown(); track job.id) {
          <li>
            <a class="row-link" routerLink="/jobs" [queryParams]="{ job: job.id }">
              <sw-state [state]="mark(job)" [ofWork]="true" />
              <span class="medium cut">{{ job.title | swRaw }}</span>
              <span class="cut muted">{{ jobSummary(job, clock.now()) }}</span>
              <sw-ago class="muted xs" [time]="job.created_at" />
            </a>
          </li>
        } @empty {
          <li i18n class="panel-note">No jobs of this cluster.</li>
        }
      </ul>
      <div class="panel-foot">
        @if (all().length > shown().length) {
          <span i18n>{{ shown().length }} of {{ all().length }}</span>
        }
        <a i18n routerLink="/journal" [queryParams]="{ cluster: key().name, runtime: key().runtime }"
          >View in journal</a
        >
      </div>
    </section>
  `,
  styles: `
    .row-link {
      grid-template-columns: 16px fit-content(50%) minmax(0, 1fr) auto;
    }
  `,
})
export class ClusterJobs {
  private readonly store = inject(JobsStore);
  protected readonly clock = inject(Clock);
  protected readonly jobSummary = jobSummary;
  protected readonly mark = jobMark;
  readonly key = input.required<ClusterKey>();
  protected readonly all = computed(() => {
    const { name, runtime } = this.key();
    return this.store.jobs().filter((job) => job.cluster === name && job.runtime === runtime);
  });
  protected readonly shown = computed(() => this.all().slice(0, MOST));

  constructor() {
    this.store.live.watch();
  }
}
