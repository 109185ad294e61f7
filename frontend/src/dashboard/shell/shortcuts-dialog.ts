import { DialogRef } from '@angular/cdk/dialog';
import { Component, inject } from '@angular/core';
import { commandKey } from '../palette/palette-key';

/** Keys to press together are one entry; alternatives are several. */
type Shortcut = readonly [keys: readonly string[], action: string];

const GROUPS: readonly { title: string; shortcuts: readonly Shortcut[] }[] = [
  {
    title: $localize`Everywhere`,
    shortcuts: [
      [[`${commandKey()} K`], $localize`Search or jump to`],
      [['?'], $localize`Keyboard shortcuts`],
      [['/'], $localize`Focus the filter`],
      [['Esc'], $localize`Close, or continue a job in the background`],
    ],
  },
  {
    title: $localize`Search`,
    shortcuts: [
      [['↑', '↓'], $localize`Previous or next result`],
      [['Enter'], $localize`Open or run the result`],
    ],
  },
  {
    title: $localize`Cluster list`,
    shortcuts: [
      [['↑', '↓'], $localize`Previous or next row`],
      [['Home', 'End'], $localize`First or last row`],
      [['←', '→'], $localize`Move within the row`],
      [['Enter'], $localize`Open the cluster`],
      [['Space'], $localize`Select the row`],
      [['Shift ↑', 'Shift ↓'], $localize`Extend the selection`],
      [['Shift Space'], $localize`Select from the last selected row to this one`],
      [['Ctrl A'], $localize`Select all shown rows`],
      [['Esc'], $localize`Clear the selection`],
    ],
  },
  {
    title: $localize`Job list`,
    shortcuts: [
      [['↑', '↓'], $localize`Previous or next job`],
      [['Enter'], $localize`Show the job`],
    ],
  },
];

@Component({
  selector: 'sw-shortcuts-dialog',
  template: `
    <div class="dialog-head"><h2 i18n id="shortcuts-title">Keyboard shortcuts</h2></div>
    <div class="dialog-body sm" tabindex="0" role="group" aria-labelledby="shortcuts-title">
      @for (group of groups; track group.title) {
        <section>
          <h3 class="muted xs medium">{{ group.title }}</h3>
          <dl>
            @for (entry of group.shortcuts; track entry[1]) {
              <div>
                <dt class="flow tight">
                  @for (key of entry[0]; track key) {
                    <kbd>{{ key }}</kbd>
                  }
                </dt>
                <dd>{{ entry[1] }}</dd>
              </div>
            }
          </dl>
        </section>
      }
    </div>
    <div class="dialog-foot">
      <div class="acts">
        <button i18n type="button" class="btn primary" data-first (click)="dialog.close()">Close</button>
      </div>
    </div>
  `,
  styles: `
    h3 {
      margin-bottom: 4px;
    }
    dl > div {
      display: grid;
      grid-template-columns: 150px minmax(0, 1fr);
      align-items: center;
      min-height: 30px;
    }
  `,
})
export class ShortcutsDialog {
  protected readonly dialog = inject<DialogRef>(DialogRef);
  protected readonly groups = GROUPS;
}
