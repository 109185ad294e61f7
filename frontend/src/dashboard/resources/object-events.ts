import { Component, computed, input } from '@angular/core';
import type { ClusterKey } from '../../shared/api/api';
import type { TableRowDto } from '../../shared/api/api-types';
import { plural } from '../../shared/format/format';
import { apiResource } from '../../shared/loading/api-resource';
import { UI } from '../../shared/ui/ui';
import { OBJECT, type ObjectName, objectParams } from '../resource-model/resource-address';
import { cellText } from './cell-values';

const POLL_MS = 5000;

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
            <span class="muted xs nowrap">
              {{ event.seen }}
            </span>
            <p class="soft">{{ event.message }}</p>
          </li>
        }
      </ul>
      @if (events.length === 0) {
        <sw-placeholder i18n heading="No events" i18n-heading>
          Clusters keep events for an hour by default.
        </sw-placeholder>
      }
    } @else if (read.problem()) {
      <sw-load-error heading="Could not load events" i18n-heading [of]="read" />
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
  readonly key = input.required<ClusterKey>();
  readonly object = input.required<ObjectName>();
  protected readonly read = apiResource(`${OBJECT}/events`, () => objectParams(this.key(), this.object()), {
    refresh: { everyMs: POLL_MS },
  });
  protected readonly events = computed(() => {
    const table = this.read.current();
    if (!table) return undefined;
    const at = (title: string): number => table.columns.findIndex(({ name }) => name === title);
    const [seen, type, reason, message] = [at('Last Seen'), at('Type'), at('Reason'), at('Message')];
    const count = at('Count');
    const text = ({ cells }: TableRowDto, index: number): string => cellText(cells[index]);
    return table.rows.map((row) => ({
      uid: row.uid,
      seen: seenText(text(row, seen), Number(row.cells[count] ?? 1)),
      type: text(row, type),
      reason: text(row, reason),
      message: text(row, message),
    }));
  });
}

/** Such as `5 times over 3m38s, 56s ago`, of what kubectl prints as `56s (x5 over 3m38s)`. */
export function seenText(printed: string, count: number): string {
  const [, last = printed, times = String(count), period] =
    /^(\S+) \(x(\d+) over (\S+)\)$/.exec(printed) ?? [];
  // Not a duration, such as `<unknown>`.
  const ago = /^\d/.test(last) ? $localize`${last}:duration: ago` : last;
  const seen = plural(Number(times), (n) => ({
    one: $localize`${n}:count: time`,
    other: $localize`${n}:count: times`,
  }));
  if (period !== undefined) return $localize`${seen}:times: over ${period}:duration:, ${ago}:ago:`;
  return count > 1 ? $localize`${seen}:times:, ${ago}:ago:` : ago;
}
