import { Component, computed, input, output } from '@angular/core';
import type { ResourceHealth } from '../../shared/api/api-types';
import { HEALTH_LABELS } from '../resource-model/kind-labels';
import { statusCounts } from './status-counts';
import { PlainButton } from '../../shared/ui/plain-button';

/** Filters a table by the status of its rows. Empty for kinds without a status. */
@Component({
  selector: 'sw-status-filter',
  imports: [PlainButton],
  template: `
    @if (counts().length > 0) {
      <div class="seg" role="group" aria-label="Status" i18n-aria-label>
        <button [attr.aria-pressed]="chosen() === null" (click)="choose.emit(null)">
          <ng-container i18n>All</ng-container>&ngsp;<span class="muted">{{ healths().length }}</span>
        </button>
        @for (entry of counts(); track entry.health) {
          <button [attr.aria-pressed]="chosen() === entry.health" (click)="choose.emit(entry.health)">
            {{ labels[entry.health] }} <span class="muted">{{ entry.count }}</span>
          </button>
        }
      </div>
    }
  `,
  styles: `
    .seg {
      margin: var(--s-2) var(--s-3);
    }
  `,
})
export class StatusFilter {
  readonly healths = input.required<readonly ResourceHealth[]>();
  /** Null for all. */
  readonly chosen = input.required<ResourceHealth | null>();
  readonly choose = output<ResourceHealth | null>();
  protected readonly labels = HEALTH_LABELS;
  protected readonly counts = computed(() => statusCounts(this.healths(), this.chosen()));
}
