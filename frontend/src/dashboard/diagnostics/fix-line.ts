import { Component, computed, input } from '@angular/core';
import { readFix } from './diagnosis';
import { UI } from '../../shared/ui/ui';

@Component({
  selector: 'sw-fix-line',
  imports: [UI],
  template: `
    @switch (fix()?.kind) {
      @case ('command') {
        <sw-command-line [text]="text() ?? ''" />
      }
      @case ('page') {
        <a class="anywhere" [href]="text()" target="_blank" rel="noopener noreferrer"
          ><span>{{ text() }}</span
          ><sw-icon name="external" [size]="14" /><span i18n class="sr-only"
            >&ngsp;(opens in a new window)</span
          ></a
        >
      }
      @case ('advice') {
        <p class="soft">{{ text() }}</p>
      }
    }
  `,
  styles: `
    sw-command-line {
      max-width: max-content;
    }
    sw-icon {
      margin-left: 6px;
    }
    a {
      display: inline-block;
      min-height: 24px;
    }
  `,
  host: { class: 'stack sm' },
})
export class FixLine {
  readonly text = input.required<string | null>();
  protected readonly fix = computed(() => readFix(this.text()));
}
