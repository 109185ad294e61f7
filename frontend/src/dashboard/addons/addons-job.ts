import { Component, computed, inject, input } from '@angular/core';
import type { JobDto } from '../../shared/api/api-types';
import { jobNow } from '../../shared/ui/job-labels';
import { UI } from '../../shared/ui/ui';
import { JobScreen } from '../job-handle/job-screen';
import { ClusterAddons } from './cluster-addons';

@Component({
  selector: 'sw-addons-job',
  imports: [UI],
  template: `
    <sw-state [state]="job().state" [ofWork]="true" />
    <span aria-live="polite" class="now fill anywhere"
      >{{ nowOf(job()) }} <span class="muted">{{ detail() }}</span></span
    >
    <sw-usage-bar [work]="true" [percent]="job().progress_percent" label="Progress" i18n-label />
    <b>{{ floor(job().progress_percent) }} %</b>
    <button i18n class="btn small" (click)="screen.open(job().id)">View job</button>
    <button data-writes i18n class="btn small" [disabled]="job().cancelling" (click)="addons.cancel(job())">
      {job().cancelling, select, true {Canceling} other {Cancel}}
    </button>
  `,
  styles: `
    :host {
      padding: 10px 16px;
    }
    .now {
      flex-basis: 16rem;
    }
    sw-usage-bar {
      flex: 0 1 160px;
    }
  `,
  host: { class: 'flow sm', role: 'group', 'aria-label': $localize`Active job` },
})
export class AddonsJob {
  protected readonly addons = inject(ClusterAddons);
  protected readonly screen = inject(JobScreen);
  readonly job = input.required<JobDto>();
  /** `3 of 8 ready` */
  protected readonly detail = computed(
    () => this.job().progress_steps.find(({ state }) => state === 'running')?.detail ?? '',
  );
  protected readonly nowOf = jobNow;
  protected readonly floor = Math.floor;
}
