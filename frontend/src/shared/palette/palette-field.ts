import { Component, inject } from '@angular/core';
import { Icon } from '../ui/icon';
import { Palette } from './palette';
import { commandKey } from './palette-key';
import { PlainButton } from '../ui/plain-button';

@Component({
  selector: 'sw-palette-field',
  imports: [Icon, PlainButton],
  template: `
    <button class="btn collapses" aria-haspopup="dialog" (click)="palette.toggle()">
      <sw-icon name="search" />
      <span i18n>Search or jump to</span>
      <kbd class="end" aria-hidden="true">{{ key }} K</kbd>
    </button>
  `,
  styles: `
    button {
      width: 232px;
      justify-content: flex-start;
      color: var(--text-3);
    }
    @media (width <= 1180px) {
      kbd {
        display: none;
      }
    }
  `,
})
export class PaletteField {
  protected readonly palette = inject(Palette);
  protected readonly key = commandKey();
}
