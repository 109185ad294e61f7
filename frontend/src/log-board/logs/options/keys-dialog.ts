import { DialogRef } from '@angular/cdk/dialog';
import { Component, inject } from '@angular/core';

const KEYS: readonly { keys: readonly string[]; does: string }[] = [
  { keys: ['/'], does: 'To the search' },
  { keys: ['N', 'Shift N'], does: 'To the next or previous match or mark' },
  { keys: ['E', 'Shift E'], does: 'To the next or previous error' },
  { keys: ['F'], does: 'Follow the newest line, or let go of it' },
  { keys: ['G'], does: 'Go to a time' },
  { keys: ['W'], does: 'Wrap long lines' },
  { keys: ['↑', '↓', 'Page ↑', 'Page ↓'], does: 'From line to line' },
  { keys: ['Home', 'End'], does: 'To the oldest or newest line' },
  { keys: ['Shift ↑', 'Shift ↓'], does: 'Choose several lines' },
  { keys: ['Ctrl C'], does: 'Copy the chosen lines' },
  { keys: ['Enter'], does: 'Show all of a line, or load skipped ones; in the sources: only this one' },
  { keys: ['Space'], does: 'In the sources: check or uncheck' },
  { keys: ['A', '…', 'Z'], does: 'In the sources: to the next that begins with it' },
  { keys: ['Shift F10'], does: 'In the sources: what can be done with one' },
  { keys: ['Esc'], does: 'Close what is open; from the search to the lines' },
];

/** All keys of the logs. */
@Component({
  selector: 'sw-keys-dialog',
  template: `
    <div class="dialog-head">
      <h2 id="keys-title">Keyboard shortcuts</h2>
      <button type="button" class="btn" (click)="dialog.close()">Close</button>
    </div>
    <dl tabindex="0" aria-labelledby="keys-title">
      @for (entry of keys; track entry.does) {
        <dt>
          @for (key of entry.keys; track key) {
            <kbd>{{ key }}</kbd>
          }
        </dt>
        <dd>{{ entry.does }}</dd>
      }
    </dl>
  `,
  styles: `
    dl {
      display: grid;
      grid-template-columns: max-content minmax(0, 1fr);
      gap: 10px 20px;
      padding: 4px 24px 24px;
      overflow: auto;
      font-size: var(--fs-sm);
    }
    dt {
      display: flex;
      flex-wrap: wrap;
      gap: 4px;
      max-width: 12rem;
    }
  `,
})
export class KeysDialog {
  protected readonly dialog = inject(DialogRef);
  protected readonly keys = KEYS;
}
