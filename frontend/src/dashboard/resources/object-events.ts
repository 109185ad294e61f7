import { Component, computed, effect, inject, input, signal, untracked } from '@angular/core';
import type { ClusterKey } from '../../shared/api/api';
import { ApiProblem } from '../../shared/api/api-problem';
import type { ResourceTableDto, TableRowDto } from '../../shared/api/api-types';
import { UI } from '../../shared/ui/ui';
import { cellText } from './cell-values';
import type { ObjectName } from './resource-address';
import { ResourcesApi } from './resources-api';

const POLL_MS = 5000;

/** Events of an object, newest first. */
@Component({
  selector: 'sw-object-events',
  imports: [UI],
  template: `
    @if (events(); as events) {
      <ul class="row-list">
        @for (event of events; track event.uid) {
          <li>
            <sw-state
              [state]="event.type === 'Warning' ? 'warning' : 'pending'"
              [silent]="event.type !== 'Warning'"
            />
            <b class="medium" [class.warning-text]="event.type === 'Warning'">{{ event.reason }}</b>
            <span class="muted xs nowrap">{{ event.seen }}</span>
            <p class="soft">{{ event.message }}</p>
          </li>
        }
      </ul>
      @if (events.length === 0) {
        <sw-placeholder i18n heading="No events" i18n-heading>
          Clusters keep events for an hour by default.
        </sw-placeholder>
      }
    } @else if (problem(); as failure) {
      <sw-load-error
        heading="Could not load events"
        i18n-heading
        [message]="failure.message"
        (retry)="read()"
      />
    } @else {
      <sw-skeleton-rows label="Loading events" i18n-label [height]="48" [count]="3" />
    }
  `,
  styles: `
    li {
      display: grid;
      grid-template-columns: 16px minmax(0, 1fr) auto;
    }
    p {
      grid-column: 2 / -1;
    }
  `,
})
export class ObjectEvents {
  private readonly api = inject(ResourcesApi);
  readonly key = input.required<ClusterKey>();
  readonly object = input.required<ObjectName>();
  private readonly table = signal<ResourceTableDto | undefined>(undefined);
  protected readonly problem = signal<ApiProblem | null>(null);
  protected readonly events = computed(() => {
    const table = this.table();
    if (!table) return undefined;
    const at = (title: string): number => table.columns.findIndex(({ name }) => name === title);
    const [seen, type, reason, message] = [at('Last Seen'), at('Type'), at('Reason'), at('Message')];
    const text = ({ cells }: TableRowDto, index: number): string => cellText(cells[index]);
    return table.rows.map((row) => ({
      uid: row.uid,
      seen: text(row, seen),
      type: text(row, type),
      reason: text(row, reason),
      message: text(row, message),
    }));
  });

  constructor() {
    effect((onCleanup) => {
      this.key();
      this.object();
      untracked(() => this.table.set(undefined));
      void this.read();
      const timer = setInterval(() => void this.read(), POLL_MS);
      onCleanup(() => clearInterval(timer));
    });
  }

  protected async read(): Promise<void> {
    const object = this.object();
    try {
      const table = await this.api.events(this.key(), object);
      if (object !== this.object()) return;
      this.table.set(table);
      this.problem.set(null);
    } catch (error) {
      this.problem.set(ApiProblem.of(error));
    }
  }
}
