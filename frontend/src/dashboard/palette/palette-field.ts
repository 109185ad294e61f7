import { Component, inject } from '@angular/core';
import { Icon } from '../../shared/ui/icon';
import { Palette } from './palette';
import { commandKey } from './palette-key';

/** Opens the palette from the header. */
@Component({
  selector: 'sw-palette-field',
  imports: [Icon],
  template: `
    <button type="button" aria-haspopup="dialog" (click)="palette.toggle()">
      <sw-icon name="search" />
      <span i18n>Search or jump to</span>
      <kbd aria-hidden="true">{{ key }} K</kbd>
    </button>
  `,
  styles: `
    button {
      display: inline-flex;
      align-items: center;
      gap: 8px;
      width: 232px;
      height: var(--h-control);
      padding: 0 6px 0 10px;
      border: 1px solid var(--line-strong);
      border-radius: var(--r-md);
      background: var(--surface);
      color: var(--text-3);
      font-size: var(--fs-sm);
    }
    button:hover {
      background: var(--hover);
    }
    kbd {
      margin-left: auto;
    }
    @media (width <= 1180px) {
      button {
        width: var(--h-control);
        padding: 0;
        justify-content: center;
        color: var(--text-2);
      }
      span {
        position: absolute;
        width: 1px;
        height: 1px;
        overflow: hidden;
        clip-path: inset(50%);
        white-space: nowrap;
      }
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
