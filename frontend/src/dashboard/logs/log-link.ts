import { Component, computed, input } from '@angular/core';
import { Icon } from '../../shared/ui/icon';
import { logBoardUrl, type LogBoardTarget } from './log-board-url';

/** Opens the log board at what somebody looks at here. */
@Component({
  selector: 'sw-log-link',
  imports: [Icon],
  template: `
    <a
      class="btn small"
      target="_blank"
      rel="noopener"
      [href]="address()"
      [attr.aria-label]="'Logs of ' + name() + ', in a new window'"
      title="On the log board, in a new window"
      ><sw-icon name="external" />Logs</a
    >
  `,
})
export class LogLink {
  readonly of = input.required<LogBoardTarget>();
  /** Whose logs they are, in words. */
  readonly name = input.required<string>();
  protected readonly address = computed(() => logBoardUrl(this.of()));
}
