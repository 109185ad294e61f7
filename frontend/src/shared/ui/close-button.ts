import { Component, output } from '@angular/core';
import { Icon } from './icon';

/** The × at the end of the head of a dialog or of a panel. */
@Component({
  selector: 'sw-close-button',
  imports: [Icon],
  template: `
    <button
      type="button"
      class="btn icon quiet"
      aria-label="Close"
      i18n-aria-label
      title="Close"
      i18n-title
      (click)="closed.emit()"
    >
      <sw-icon name="x" />
    </button>
  `,
  host: { class: 'end' },
})
export class CloseButton {
  readonly closed = output();
}
