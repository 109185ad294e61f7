import { Component, computed, input } from '@angular/core';
import { type LogBoardTarget, logBoardUrl } from './log-board-url';
import { UI } from '../../shared/ui/ui';

@Component({
  selector: 'sw-log-link',
  imports: [UI],
  template: `
    <a
      class="btn small"
      target="_blank"
      rel="noopener"
      [href]="address()"
      [swAriaLabel]="label()"
      title="Open on the log board in a new window"
      i18n-title
      ><sw-icon name="external" />{{ text() }}</a
    >
  `,
})
export class LogLink {
  readonly of = input.required<LogBoardTarget>();
  readonly name = input.required<string>();
  /** Beside the log of the dashboard, the text says where the link leads. */
  readonly isBesideLog = input(false);
  protected readonly address = computed(() => logBoardUrl(this.of()));
  protected readonly text = computed(() =>
    this.isBesideLog() ? $localize`Open in log board` : $localize`Logs`,
  );
  protected readonly label = computed(() =>
    this.isBesideLog()
      ? $localize`Open in log board: ${this.name()}:name:, in a new window`
      : $localize`Logs of ${this.name()}:name:, in a new window`,
  );
}
