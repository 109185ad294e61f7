import { Component, input } from '@angular/core';
import { CopyButton } from './copy-button';

@Component({
  selector: 'sw-command-line',
  imports: [CopyButton],
  template: `
    <code class="fill nowrap" tabindex="0" role="group" aria-label="Command" i18n-aria-label>{{
      text()
    }}</code>
    <sw-copy-button [text]="text()" name="Copy command" i18n-name />
  `,
  styles: `
    :host {
      gap: 6px;
      padding: 2px 4px 2px 12px;
      border-radius: var(--r-md);
      background: var(--sunken);
    }
    code {
      padding: 5px 0;
      overflow-x: auto;
      font-size: var(--fs-log);
    }
  `,
  host: { class: 'inline' },
})
export class CommandLine {
  readonly text = input.required<string>();
}
