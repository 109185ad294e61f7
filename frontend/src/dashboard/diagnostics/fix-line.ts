import { Component, computed, input } from '@angular/core';
import { CopyButton } from '../../shared/ui/copy-button';
import { Icon } from '../../shared/ui/icon';
import { readFix } from './diagnosis';

/** What fixes something: a command that can be copied, a page that can be opened, or advice. */
@Component({
  selector: 'sw-fix-line',
  imports: [CopyButton, Icon],
  template: `
    @switch (fix()?.sort) {
      @case ('command') {
        <div class="command">
          <code tabindex="0" role="group" aria-label="Command">{{ text() }}</code>
          <sw-copy-button [text]="text() ?? ''" name="Copy the command" />
        </div>
      }
      @case ('page') {
        <a [href]="text()" target="_blank" rel="noopener noreferrer"
          ><span>{{ text() }}</span
          ><sw-icon name="external" [size]="14" /><span class="sr-only"> opens a new window</span></a
        >
      }
      @case ('advice') {
        <p>{{ text() }}</p>
      }
    }
  `,
  styles: `
    :host {
      display: block;
      min-width: 0;
      font-size: var(--fs-sm);
    }
    .command {
      display: flex;
      align-items: center;
      gap: 6px;
      max-width: max-content;
      padding: 2px 4px 2px 12px;
      border-radius: var(--r-md);
      background: var(--sunken);
    }
    code {
      flex: 1;
      min-width: 0;
      padding: 5px 0;
      overflow-x: auto;
      white-space: nowrap;
      font-size: var(--fs-log);
    }
    a {
      display: inline-flex;
      align-items: center;
      gap: 6px;
      min-height: 24px;
      overflow-wrap: anywhere;
    }
    p {
      color: var(--text-2);
    }
  `,
})
export class FixLine {
  readonly text = input.required<string | null>();
  protected readonly fix = computed(() => readFix(this.text()));
}
