import { Component, computed, input } from '@angular/core';
import { logBoardUrl, type LogBoardTarget } from './log-board-url';
import { UI } from '../../shared/ui/ui';

@Component({
  selector: 'sw-log-link',
  imports: [UI],
  template: `
    <a
      i18n
      class="btn small"
      target="_blank"
      rel="noopener"
      [href]="address()"
      swAriaLabel="Logs of {{ name() }}, in a new window"
      i18n-swAriaLabel
      title="Open on the log board in a new window"
      i18n-title
      ><sw-icon name="external" />Logs</a
    >
  `,
})
export class LogLink {
  readonly of = input.required<LogBoardTarget>();
  readonly name = input.required<string>();
  protected readonly address = computed(() => logBoardUrl(this.of()));
}
