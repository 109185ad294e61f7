import { Component, input, output } from '@angular/core';
import { Icon } from './icon';

@Component({
  selector: 'sw-close-button',
  imports: [Icon],
  template: `
    <button
      type="button"
      class="btn icon quiet"
      [attr.aria-label]="label()"
      [title]="label()"
      (click)="closed.emit()"
    >
      <sw-icon name="x" />
    </button>
  `,
  host: { class: 'end' },
})
export class CloseButton {
  readonly label = input($localize`Close`);
  readonly closed = output();
}
