import { DialogRef } from '@angular/cdk/dialog';
import { Component, inject } from '@angular/core';
import { RouterLink } from '@angular/router';
import type { JobState, StepState } from '../../../shared/api/api-types';
import { Icon } from '../../../shared/ui/icon';
import { State } from '../../../shared/ui/state';
import { BulkRun, type BulkState } from './bulk-run';

const LOOKS: Readonly<Record<BulkState, JobState | StepState>> = {
  waiting: 'pending',
  working: 'running',
  done: 'succeeded',
  failed: 'failed',
  skipped: 'skipped',
};

/** How far each cluster is, and at the end how each of them went. */
@Component({
  selector: 'sw-bulk-dialog',
  imports: [Icon, RouterLink, State],
  template: `
    <div class="dialog-head">
      <h2 id="bulk-title" aria-live="polite">{{ run.title() }}</h2>
    </div>
    <ul tabindex="0" aria-label="Clusters">
      @for (line of run.lines(); track line.key) {
        <li [attr.data-state]="line.state">
          <sw-state [state]="looks[line.state]" [ofWork]="true" [word]="false" />
          <span class="name"
            >{{ line.cluster.name }}<small>{{ line.cluster.runtime }}</small></span
          >
          <span class="says">{{ line.says }}</span>
          <span class="end">
            @if (line.percent !== null) {
              {{ line.percent }} %
            } @else if (line.state === 'failed' && line.jobId; as id) {
              <a routerLink="/jobs" [queryParams]="{ job: line.jobId }" (click)="close()"
                >Job {{ line.jobId }}</a
              >
            }
          </span>
        </li>
      }
    </ul>
    <div class="dialog-foot">
      @if (run.waiting() > 0) {
        <button type="button" class="btn quiet" (click)="run.halt()">
          <sw-icon name="x" />Leave out the {{ run.waiting() }} that wait
        </button>
      }
      <div class="acts">
        <button type="button" class="btn primary" data-first (click)="close()">
          {{ run.running() ? 'Continue in the background' : 'Close' }}
        </button>
      </div>
    </div>
  `,
  styles: `
    ul {
      flex: 1;
      overflow: auto;
      border-top: 1px solid var(--line);
      font-size: var(--fs-sm);
    }
    ul:focus-visible {
      outline-offset: -2px;
    }
    li {
      display: grid;
      grid-template-columns: 16px minmax(0, 1fr) minmax(0, 1.6fr) 56px;
      gap: 4px 12px;
      align-items: center;
      min-height: 40px;
      padding: 6px 24px;
    }
    li + li {
      border-top: 1px solid var(--line);
    }
    .name {
      font-weight: var(--fw-medium);
      overflow-wrap: anywhere;
    }
    small {
      margin-left: 6px;
      color: var(--text-3);
      font-weight: var(--fw);
      font-size: var(--fs-xs);
    }
    .says {
      color: var(--text-2);
      overflow-wrap: anywhere;
    }
    .end {
      text-align: right;
      white-space: nowrap;
    }
    [data-state='failed'] .says {
      color: var(--failed-text);
    }
    [data-state='skipped'] :is(.says, .name),
    [data-state='waiting'] .says {
      color: var(--text-3);
    }
    @media (width <= 720px) {
      li {
        grid-template-columns: 16px minmax(0, 1fr) auto;
        padding: 8px 16px;
      }
      .says {
        grid-column: 2 / -1;
        grid-row: 2;
      }
      .dialog-foot {
        flex-wrap: wrap;
      }
    }
  `,
})
export class BulkDialog {
  private readonly dialog = inject<DialogRef>(DialogRef);
  protected readonly run = inject(BulkRun);
  protected readonly looks = LOOKS;

  protected close(): void {
    this.dialog.close();
  }
}
