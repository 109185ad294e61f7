import { Component, computed, inject, input, output } from '@angular/core';
import type { ClusterDto } from '../../../shared/api/api-types';
import { Icon } from '../../../shared/ui/icon';
import { BUTTONS } from '../../cluster-actions/available-actions';
import { BULK_ACTIONS, BULK_LABELS, type BulkAction, planBulk } from './bulk-plan';
import { BulkActions } from './bulk-actions';
import { PlainButton } from '../../../shared/ui/plain-button';
import { clusterCount } from '../../../shared/format/format';

@Component({
  selector: 'sw-bulk-bar',
  imports: [Icon, PlainButton],
  template: `
    <span class="count medium nowrap" role="status" i18n>{clusters().length, plural,
      =1 {1 cluster selected}
      other {{{ clusters().length }} clusters selected}
    }</span>
    <div class="flow tight acts">
      @for (offer of offers(); track offer.action) {
        <button
          data-writes
          class="btn small"
          [class.danger]="offer.action === 'delete'"
          [disabled]="offer.allowed === 0 || run.running()"
          [title]="offer.tooltip"
          (click)="start(offer.action)"
        >
          <sw-icon [name]="offer.icon" />{{ offer.text }}
          @if (offer.allowed < clusters().length) {
            <span
              >{{ offer.allowed }}<span class="sr-only" i18n>&ngsp;of {{ clusters().length }}</span></span
            >
          }
        </button>
      }
    </div>
    <button class="btn small quiet" (click)="cleared.emit()" i18n><sw-icon name="x" />Clear</button>
  `,
  styles: `
    :host {
      position: sticky;
      bottom: 12px;
      z-index: 10;
      display: flex;
      flex-wrap: wrap;
      align-items: center;
      gap: 6px var(--s-3);
      width: fit-content;
      margin: var(--s-3) auto 0;
      padding: 8px 8px 8px 16px;
      background: var(--raised);
      border: 1px solid var(--line-strong);
      border-radius: var(--r-lg);
      box-shadow: var(--shadow-menu);
      font-size: var(--fs-sm);
    }
    @media (width <= 720px) {
      .count {
        flex: 1;
      }
      .acts {
        order: 3;
        flex: 1 0 100%;
      }
    }
  `,
  host: { role: 'group', '[attr.aria-label]': 'label' },
})
export class BulkBar {
  private readonly actions = inject(BulkActions);
  protected readonly run = this.actions.run;
  protected readonly label = $localize`Selected clusters`;
  readonly clusters = input.required<readonly ClusterDto[]>();
  readonly cleared = output();
  readonly started = output();
  protected readonly offers = computed(() =>
    BULK_ACTIONS.map((action) => {
      const allowed = planBulk(action, this.clusters()).clusters.length;
      const { text, button } = BULK_LABELS[action];
      const tooltip =
        allowed === 0 ? $localize`No selected cluster is in a suitable state` : button(clusterCount(allowed));
      return { action, allowed, text, tooltip, icon: BUTTONS[action].icon };
    }),
  );

  protected async start(action: BulkAction): Promise<void> {
    if (await this.actions.start(planBulk(action, this.clusters()))) this.started.emit();
  }
}
