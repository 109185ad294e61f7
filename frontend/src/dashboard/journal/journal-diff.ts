import { Component, input } from '@angular/core';
import { apiResource } from '../../shared/loading/api-resource';
import { UI } from '../../shared/ui/ui';
import { ConfigDiff } from '../editor/config-diff';

/** The diff of the change that an entry is about. */
@Component({
  selector: 'sw-journal-diff',
  imports: [ConfigDiff, UI],
  template: `
    @if (read.value()?.diff; as diff) {
      @defer {
        <sw-config-diff
          class="code-box diff"
          label="Changes"
          i18n-label
          [before]="diff.before ?? ''"
          [after]="diff.after"
          [firstLine]="diff.first_line"
        />
      } @placeholder {
        <div class="code-box diff"></div>
      }
      @if (diff.truncated) {
        <p i18n class="hint">The journal keeps the first 8 kB.</p>
      }
    } @else if (read.problem()) {
      <sw-load-error heading="Could not load the changes" i18n-heading [of]="read" />
    } @else {
      <sw-skeleton-rows label="Loading the changes" i18n-label [count]="2" />
    }
  `,
  styles: `
    :host {
      display: block;
      padding: 10px 16px 10px 0;
    }
  `,
})
export class JournalDiff {
  /** Id of the entry, which has a diff. */
  readonly entry = input.required<number>();
  protected readonly read = apiResource('/api/v1/journal/{id}', () => ({ id: String(this.entry()) }));
}
