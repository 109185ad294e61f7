import { Component } from '@angular/core';

/** The product's logo: a hull on its slipway. */
@Component({
  selector: 'sw-mark',
  template: `
    <svg viewBox="0 0 24 24" aria-hidden="true">
      <path class="ramp" d="M2 22.3v-15l20 15z" />
      <path class="hull" d="M4.9 6.5 8.5 1.7l11.3 8.4v7.5z" />
    </svg>
  `,
  styles: `
    :host {
      display: inline-flex;
      width: 22px;
      height: 22px;
    }
    svg {
      width: 100%;
      height: 100%;
    }
    .ramp {
      fill: var(--brand-ramp);
    }
    .hull {
      fill: var(--brand-hull);
    }
  `,
})
export class Mark {}
