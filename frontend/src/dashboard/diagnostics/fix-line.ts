import { Component, computed, input } from '@angular/core';
import { CommandLine } from '../../shared/ui/command-line';
import { Icon } from '../../shared/ui/icon';
import { readFix } from './diagnosis';

/** A fix: a command to copy, a link or advice. */
@Component({
  selector: 'sw-fix-line',
  imports: [CommandLine, Icon],
  template: `
    @switch (fix()?.kind) {
      @case ('command') {
        <sw-command-line [text]="text() ?? ''" />
      }
      @case ('page') {
        <a [href]="text()" target="_blank" rel="noopener noreferrer"
          ><span>{{ text() }}</span
          ><sw-icon name="external" [size]="14" /><span i18n class="sr-only"
            >&ngsp;(opens in a new window)</span
          ></a
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
    sw-command-line {
      max-width: max-content;
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
