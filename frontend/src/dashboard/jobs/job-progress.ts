import { Component, computed, input } from '@angular/core';
import type { JobDto } from '../../shared/api/api-types';
import { jobNow } from '../../shared/ui/job-labels';
import { timeLeft } from '../../shared/ui/time-left';
import { UsageBar } from '../../shared/ui/usage-bar';

@Component({
  selector: 'sw-job-progress',
  imports: [UsageBar],
  template: `
    <span aria-live="polite">{{ step() }}</span>
    <sw-usage-bar label="Progress" i18n-label [work]="true" [percent]="job().progress_percent" />
    <b>{{ percent() }} %</b>
    @if (left(); as left) {
      <span class="muted nowrap">{{ left }}</span>
    }
    <ng-content />
  `,
  styles: `
    sw-usage-bar {
      flex: 1 1 80px;
    }
    b {
      min-width: 5ch;
      color: var(--text);
      font-size: var(--fs-lg);
      text-align: right;
    }
    @media (width <= 720px) {
      sw-usage-bar {
        order: 1;
        flex-basis: 100%;
      }
    }
  `,
  host: { class: 'flow sm soft' },
})
export class JobProgress {
  readonly job = input.required<JobDto>();
  protected readonly step = computed(() => jobNow(this.job()));
  protected readonly left = computed(() => timeLeft(this.job()));
  protected readonly percent = computed(() => Math.floor(this.job().progress_percent));
}
