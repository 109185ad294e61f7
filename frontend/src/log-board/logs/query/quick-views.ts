import { Component, computed, input, output } from '@angular/core';
import { EMPTY_QUERY, isSameQuery, type LogQuery } from '../../search-model/log-query';
import { PlainButton } from '../../../shared/ui/plain-button';

const RECENT_ERRORS: LogQuery = { ...EMPTY_QUERY, levels: ['error', 'fatal'], from: '1h' };

/** The two views that people need most. */
@Component({
  selector: 'sw-quick-views',
  imports: [PlainButton],
  template: `
    <button [attr.aria-pressed]="isFirstView()" (click)="everything.emit()" i18n>Everything</button>
    <button [attr.aria-pressed]="isRecentErrors()" (click)="showRecentErrors()" i18n>
      Errors, last hour
    </button>
  `,
  styles: `
    button {
      height: 24px;
    }
  `,
  host: { class: 'seg', role: 'group', 'aria-label': $localize`Quick views` },
})
export class QuickViews {
  readonly query = input.required<LogQuery>();
  /** No sources are chosen. */
  readonly ofAllSources = input.required<boolean>();
  /** All lines of all sources. */
  readonly everything = output();
  readonly changed = output<LogQuery>();

  protected readonly isFirstView = computed(
    () => this.ofAllSources() && isSameQuery(this.query(), EMPTY_QUERY),
  );
  protected readonly isRecentErrors = computed(() => isSameQuery(this.query(), RECENT_ERRORS));

  /** Of the chosen sources. */
  protected showRecentErrors(): void {
    this.changed.emit(RECENT_ERRORS);
  }
}
