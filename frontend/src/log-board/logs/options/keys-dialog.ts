import { DialogRef } from '@angular/cdk/dialog';
import { Component, inject } from '@angular/core';

const KEYS: readonly { keys: readonly string[]; action: string }[] = [
  { keys: ['/'], action: $localize`Go to search` },
  { keys: ['N', 'Shift N'], action: $localize`Next or previous match` },
  { keys: ['E', 'Shift E'], action: $localize`Next or previous error` },
  { keys: ['F'], action: $localize`Follow new lines on or off` },
  { keys: ['G'], action: $localize`Go to a time` },
  { keys: ['W'], action: $localize`Wrap long lines` },
  { keys: ['↑', '↓', 'Page ↑', 'Page ↓'], action: $localize`Move by line or page` },
  { keys: ['Home', 'End'], action: $localize`Go to the oldest or newest line` },
  { keys: ['Shift ↑', 'Shift ↓'], action: $localize`Select several lines` },
  { keys: ['Ctrl C'], action: $localize`Copy selected lines` },
  { keys: ['Enter'], action: $localize`Open a line or load skipped lines; in sources: select only this one` },
  { keys: ['Space'], action: $localize`In sources: select or clear` },
  { keys: ['A', '…', 'Z'], action: $localize`In sources: go to the next name with this first letter` },
  { keys: ['Shift F10'], action: $localize`In sources: open the menu` },
  { keys: ['Esc'], action: $localize`Close, or go from search to lines` },
];

@Component({
  selector: 'sw-keys-dialog',
  template: `
    <div class="dialog-head">
      <h2 id="keys-title" i18n>Keyboard shortcuts</h2>
      <button type="button" class="btn" (click)="dialog.close()" i18n>Close</button>
    </div>
    <dl class="scroll sm" tabindex="0" aria-labelledby="keys-title">
      @for (entry of keys; track entry.action) {
        <dt class="flow tight">
          @for (key of entry.keys; track key) {
            <kbd>{{ key }}</kbd>
          }
        </dt>
        <dd>{{ entry.action }}</dd>
      }
    </dl>
  `,
  styles: `
    dl {
      display: grid;
      grid-template-columns: max-content minmax(0, 1fr);
      gap: 10px 20px;
      padding: 4px 24px 24px;
    }
    dt {
      max-width: 12rem;
    }
  `,
})
export class KeysDialog {
  protected readonly dialog = inject(DialogRef);
  protected readonly keys = KEYS;
}
