import { Component, input, output } from '@angular/core';
import { IconButton } from './icon-button';

@Component({
  selector: 'sw-close-button',
  imports: [IconButton],
  template: ` <button swIconButton="x" large [label]="label()" (click)="closed.emit()"></button> `,
  host: { class: 'end' },
})
export class CloseButton {
  readonly label = input($localize`Close`);
  readonly closed = output();
}
