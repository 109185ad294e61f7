import { DialogRef } from '@angular/cdk/dialog';
import { Component, inject } from '@angular/core';
import { RouterLink } from '@angular/router';
import type { JobState, StepState } from '../../../shared/api/api-types';
import { UI } from '../../../shared/ui/ui';
import { BulkRun, type BulkState } from './bulk-run';

const STATES: Readonly<Record<BulkState, JobState | StepState>> = {
  waiting: 'pending',
  working: 'running',
  done: 'succeeded',
  failed: 'failed',
  skipped: 'skipped',
};

@Component({
  selector: 'sw-bulk-dialog',
  imports: [RouterLink, UI],
  template: `
    <div class="dialog-head">
      <h2 id="dialog-title" aria-live="polite">{{ run.title() }}</h2>
    </div>
    <ul class="item-list fill scroll line-above sm" tabindex="0" aria-label="Clusters" i18n-aria-label>
      @for (line of run.lines(); track line.key) {
        <li>
          <sw-state [state]="states[line.state]" [ofWork]="true" />
          <span class="anywhere"
            ><b>{{ line.cluster.name }}</b> <span class="muted xs">{{ line.cluster.runtime }}</span></span
          >
          <span class="text anywhere soft" [class.error-text]="line.state === 'failed'">{{ line.text }}</span>
          <span class="num">
            @if (line.percent !== null) {
              {{ line.percent }} %
            } @else if (line.state === 'failed' && line.jobId) {
              <a i18n routerLink="/jobs" [queryParams]="{ job: line.jobId }" (click)="dialog.close()"
                >Job {{ line.jobId }}</a
              >
            }
          </span>
        </li>
      }
    </ul>
    <div class="dialog-foot">
      @if (run.waiting() > 0) {
        <button i18n class="btn quiet" (click)="run.halt()">
          <sw-icon name="x" />Skip {{ run.waiting() }} remaining
        </button>
      }
      <div class="acts">
        <button i18n class="btn primary" data-first (click)="dialog.close()">
          {run.running(), select, true {Run in background} other {Close}}
        </button>
      </div>
    </div>
  `,
  styles: `
    li {
      display: grid;
      grid-template-columns: 16px minmax(0, 1fr) minmax(0, 1.6fr) 56px;
      gap: 4px 12px;
      align-items: center;
      min-height: 40px;
      padding: 6px 24px;
    }
    @media (width <= 720px) {
      li {
        grid-template-columns: 16px minmax(0, 1fr) auto;
        padding: 8px 16px;
      }
      .text {
        grid-area: 2 / 2 / auto / -1;
      }
    }
  `,
})
export class BulkDialog {
  protected readonly dialog = inject<DialogRef>(DialogRef);
  protected readonly run = inject(BulkRun);
  protected readonly states = STATES;
}
