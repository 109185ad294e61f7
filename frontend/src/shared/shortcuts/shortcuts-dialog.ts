import { DIALOG_DATA } from '@angular/cdk/dialog';
import { Component, inject } from '@angular/core';
import { DialogFrame } from '../ui/dialog-frame';

/** Keys to press together are one entry; alternatives are several. */
export type Shortcut = readonly [keys: readonly string[], action: string];

export interface ShortcutGroup {
  title: string;
  shortcuts: readonly Shortcut[];
}

@Component({
  selector: 'sw-shortcuts-dialog',
  imports: [DialogFrame],
  template: `
    <div swDialog done>
      <h2 i18n id="dialog-title">Keyboard shortcuts</h2>
      <div body class="dialog-body sm" tabindex="0" role="group" aria-labelledby="dialog-title">
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
  protected readonly groups = inject<readonly ShortcutGroup[]>(DIALOG_DATA);
}
