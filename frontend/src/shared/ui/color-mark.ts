import { Component, input } from '@angular/core';
import type { ClusterColor } from '../api/api-types';

/** The color that the user chose for an external cluster. Its name is beside it. */
@Component({
  selector: 'sw-color-mark',
  template: '',
  styles: `
    :host {
      flex: none;
      width: 10px;
      height: 10px;
      border-radius: 3px;
    }
  `,
  host: { '[style.background]': '"var(--cluster-" + color() + ")"', 'aria-hidden': 'true' },
})
export class ColorMark {
  readonly color = input.required<ClusterColor>();
}
