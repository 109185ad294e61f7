import { DialogRef } from '@angular/cdk/dialog';
import { Component, inject } from '@angular/core';
import { commandKey } from '../palette/palette-key';

interface Keys {
  /** Pressed together are in one entry, one after the other or instead of each other in several. */
  keys: readonly string[];
  does: string;
}

const GROUPS: readonly { title: string; keys: readonly Keys[] }[] = [
  {
    title: 'Everywhere',
    keys: [
      { keys: [`${commandKey()} K`], does: 'Search or jump to' },
      { keys: ['?'], does: 'This help' },
      { keys: ['/'], does: 'To the filter' },
      { keys: ['Esc'], does: 'Close, or send a job to the background' },
    ],
  },
  {
    title: 'In the search',
    keys: [
      { keys: ['↑', '↓'], does: 'To the result above or below' },
      { keys: ['Enter'], does: 'Go there, or do it' },
    ],
  },
  {
    title: 'In the list of clusters',
    keys: [
      { keys: ['↑', '↓'], does: 'To the row above or below' },
      { keys: ['Home', 'End'], does: 'To the first or last row' },
      { keys: ['←', '→'], does: 'To what is in the row' },
      { keys: ['Enter'], does: 'Open the cluster' },
      { keys: ['Space'], does: 'Select the row' },
      { keys: ['Shift ↑', 'Shift ↓'], does: 'Select on' },
      { keys: ['Shift Space'], does: 'Select from the last selected row to this one' },
      { keys: ['Ctrl A'], does: 'Select all that are shown' },
      { keys: ['Esc'], does: 'Select none' },
    ],
  },
  {
    title: 'In the list of jobs',
    keys: [
      { keys: ['↑', '↓'], does: 'To the job above or below' },
      { keys: ['Enter'], does: 'Show the job' },
    ],
  },
];

/** All keys that do something, by where they do it. */
@Component({
  selector: 'sw-shortcuts-dialog',
  template: `
    <div class="dialog-head"><h2 i18n id="shortcuts-title">Keyboard shortcuts</h2></div>
    <div class="body" tabindex="0" role="group" aria-labelledby="shortcuts-title">
      @for (group of groups; track group.title) {
        <section>
          <h3>{{ group.title }}</h3>
          <dl>
            @for (entry of group.keys; track entry.does) {
              <div>
                <dt>
                  @for (key of entry.keys; track key) {
                    <kbd>{{ key }}</kbd>
                  }
                </dt>
                <dd>{{ entry.does }}</dd>
              </div>
            }
          </dl>
        </section>
      }
    </div>
    <div class="dialog-foot">
      <div class="acts">
        <button i18n type="button" class="btn primary" data-first (click)="close()">Close</button>
      </div>
    </div>
  `,
  styles: `
    .body {
      flex: 1;
      overflow: auto;
      padding: 0 24px 16px;
      font-size: var(--fs-sm);
    }
    .body:focus-visible {
      outline-offset: -2px;
    }
    @media (width <= 720px) {
      .body {
        padding: 0 16px 16px;
      }
    }
    h3 {
      margin: var(--s-3) 0 4px;
      font-size: var(--fs-xs);
      font-weight: var(--fw-medium);
      color: var(--text-3);
    }
    dl > div {
      display: grid;
      grid-template-columns: 150px minmax(0, 1fr);
      gap: 12px;
      align-items: center;
      min-height: 30px;
    }
    dt {
      display: flex;
      gap: 6px;
    }
  `,
})
export class ShortcutsDialog {
  private readonly dialog = inject<DialogRef>(DialogRef);
  protected readonly groups = GROUPS;

  protected close(): void {
    this.dialog.close();
  }
}
