import { Component, input } from '@angular/core';
import { formatDuration } from '../../shared/format/format';
import { apiResource } from '../../shared/loading/api-resource';
import { UI } from '../../shared/ui/ui';

/** Limit of the API. */
const MAX_MEMBERS = 200;

/** The entries of one request. */
@Component({
  selector: 'sw-journal-members',
  imports: [UI],
  template: `
    @if (members.value(); as page) {
      <ul class="row-list" aria-label="Entries of this action" i18n-aria-label>
        @for (entry of page.entries.toReversed(); track entry.id) {
          <li>
            <sw-state [state]="entry.outcome" />
            <span class="fill anywhere" [class.error-text]="entry.outcome === 'failed'">{{
              entry.message
            }}</span>
            <span class="muted num">{{ entry.duration_ms === null ? '' : duration(entry.duration_ms) }}</span>
          </li>
        }
      </ul>
      @if (page.total > page.entries.length) {
        <p i18n class="panel-note">The last {{ page.entries.length }} of {{ page.total }} entries.</p>
      }
    } @else if (members.problem()) {
      <sw-load-error heading="Could not load the entries" i18n-heading [of]="members" />
    } @else {
      <sw-skeleton-rows label="Loading the entries" i18n-label />
    }
  `,
  styles: `
    :host {
      display: block;
    }
    li {
      min-height: 34px;
      padding-block: 4px;
    }
  `,
})
export class JournalMembers {
  /** The first entry. */
  readonly group = input.required<number>();
  protected readonly duration = formatDuration;
  protected readonly members = apiResource('/api/v1/journal/recent', () => ({
    group: this.group(),
    limit: MAX_MEMBERS,
  }));
}
