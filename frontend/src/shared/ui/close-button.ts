import { Component } from '@angular/core';
import { Icon } from './icon';

/** The × in the head of a dialog or of a panel: `<button swClose (click)="…"></button>`. */
@Component({
  selector: 'button[swClose]',
  imports: [Icon],
  template: `<sw-icon name="x" />`,
  host: {
    type: 'button',
    class: 'btn icon quiet end',
    '[attr.aria-label]': 'close',
    '[title]': 'close',
  },
})
export class CloseButton {
  protected readonly close = $localize`Close`;
}
