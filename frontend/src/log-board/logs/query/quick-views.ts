import { Component, computed, input, output } from '@angular/core';
import { EMPTY_QUERY, FIRST_VIEW, isSameQuery, type LogQuery } from '../../../shared/search/log-query';
import { PlainButton } from '../../../shared/ui/plain-button';

const RECENT_ERRORS: LogQuery = { ...EMPTY_QUERY, levels: ['error', 'fatal'], from: '1h' };

const SCOPES = [
  { scope: 'apps', text: $localize`Apps`, title: $localize`Lines of your containers and Pods` },
  {
    scope: 'system',
    text: $localize`System`,
    title: $localize`Lines of kube-system, of nodes and their services, and of Slipway`,
  },
  { scope: null, text: $localize`All`, title: $localize`Lines of applications and of the system` },
] as const;

/** Whose lines are shown, and the errors that people look for first. */
@Component({
  selector: 'sw-quick-views',
  imports: [PlainButton],
  template: `
    <span class="seg" role="group" aria-label="Lines of" i18n-aria-label>
      @for (choice of scopes; track choice.scope) {
        <button
          [title]="choice.title"
          [attr.aria-pressed]="query().scope === choice.scope"
          (click)="changed.emit({ ...query(), scope: choice.scope })"
        >
          {{ choice.text }}
        </button>
      }
    </span>
    <button class="btn small" [attr.aria-pressed]="isRecentErrors()" (click)="toggleErrors()" i18n>
      Errors, last hour
    </button>
  `,
  styles: `
    .seg button {
      height: 24px;
    }
    .btn[aria-pressed='true'] {
      background: var(--selected);
    }
  `,
  host: { class: 'flow tight' },
})
export class QuickViews {
  readonly query = input.required<LogQuery>();
  readonly changed = output<LogQuery>();
  /** A search of errors, whose patterns come first. */
  readonly errors = output<LogQuery>();

  protected readonly scopes = SCOPES;
  protected readonly isRecentErrors = computed(() => isSameQuery(this.query(), this.recent()));
  private readonly recent = computed(() => ({ ...RECENT_ERRORS, scope: this.query().scope }));

  protected toggleErrors(): void {
    const { scope } = this.query();
    if (this.isRecentErrors()) this.changed.emit({ ...FIRST_VIEW, scope });
    else this.errors.emit(this.recent());
  }
}
