import { Component, computed, inject, input, output } from '@angular/core';
import type { ClusterDto } from '../../../shared/api/api-types';
import { plural } from '../../../shared/format/format';
import { Icon, type IconName } from '../../../shared/ui/icon';
import { BULK_ACTIONS, BULK_WORDS, type BulkAction, planBulk } from './bulk-plan';
import { BulkActions } from './bulk-actions';

const ICONS: Readonly<Record<BulkAction, IconName>> = {
  start: 'play',
  stop: 'stop',
  pause: 'pause',
  unpause: 'play',
  delete: 'trash',
};

/** What can be done with the selected clusters, each with how many of them its state allows it. */
@Component({
  selector: 'sw-bulk-bar',
  imports: [Icon],
  template: `
    <span class="count" role="status">{{ count() }} selected</span>
    <div class="acts">
      @for (offer of offers(); track offer.action) {
        <button
          type="button"
          class="btn small"
          [class.danger]="offer.action === 'delete'"
          [disabled]="offer.fits === 0 || run.running()"
          [title]="offer.says"
          (click)="begin(offer.action)"
        >
          <sw-icon [name]="offer.icon" />{{ offer.text }}
          @if (offer.fits < clusters().length) {
            <span class="n"
              >{{ offer.fits }}<span class="sr-only">&ngsp;of {{ clusters().length }}</span></span
            >
          }
        </button>
      }
    </div>
    <button type="button" class="btn small quiet" (click)="cleared.emit()"><sw-icon name="x" />Clear</button>
  `,
  styles: `
    :host {
      position: sticky;
      bottom: 12px;
      z-index: 10;
      display: flex;
      align-items: center;
      gap: var(--s-3);
      width: max-content;
      max-width: 100%;
      margin: var(--s-3) auto 0;
      padding: 8px 8px 8px 16px;
      background: var(--raised);
      border: 1px solid var(--line-strong);
      border-radius: var(--r-lg);
      box-shadow: var(--shadow-menu);
      font-size: var(--fs-sm);
    }
    .count {
      font-weight: var(--fw-medium);
      white-space: nowrap;
    }
    .acts {
      display: flex;
      flex-wrap: wrap;
      gap: 6px;
    }
    .n {
      color: var(--text-3);
      font-weight: var(--fw);
    }
    .btn:disabled .n {
      color: inherit;
    }
    @media (width <= 720px) {
      :host {
        width: auto;
        flex-wrap: wrap;
        padding: 8px;
        row-gap: 6px;
      }
      .count {
        flex: 1;
        padding-left: 6px;
      }
      .acts {
        order: 3;
        flex: 1 0 100%;
      }
      .acts .btn {
        flex: 1 1 auto;
      }
    }
  `,
  host: { role: 'group', 'aria-label': 'Selected clusters' },
})
export class BulkBar {
  private readonly actions = inject(BulkActions);
  protected readonly run = this.actions.run;
  readonly clusters = input.required<readonly ClusterDto[]>();
  readonly cleared = output();
  /** Something was begun with them. */
  readonly begun = output();
  protected readonly count = computed(() => plural(this.clusters().length, 'cluster'));
  protected readonly offers = computed(() =>
    BULK_ACTIONS.map((action) => {
      const fits = planBulk(action, this.clusters()).clusters.length;
      const { text, done } = BULK_WORDS[action];
      const says = fits === 0 ? `None of them can be ${done} now` : `${text} ${plural(fits, 'cluster')}`;
      return { action, fits, text, says, icon: ICONS[action] };
    }),
  );

  protected async begin(action: BulkAction): Promise<void> {
    if (await this.actions.begin(planBulk(action, this.clusters()))) this.begun.emit();
  }
}
