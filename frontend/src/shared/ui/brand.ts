import { Component, input } from '@angular/core';
import { Mark } from './mark';

@Component({
  selector: 'sw-brand',
  imports: [Mark],
  template: `
    <sw-mark /><ng-container i18n>Slipway</ng-container>
    @if (application(); as name) {
      <em>{{ name }}</em>
    }
  `,
  styles: `
    :host {
      display: inline-flex;
      align-items: center;
      gap: 9px;
      color: var(--text);
      font-weight: var(--fw-bold);
      font-size: 0.9375rem;
      letter-spacing: -0.012em;
      white-space: nowrap;
    }
    em {
      padding-left: 9px;
      border-left: 1px solid var(--line-strong);
      color: var(--text-3);
      font-style: normal;
      font-weight: var(--fw);
    }
  `,
})
export class Brand {
  /** Empty on the dashboard. */
  readonly application = input('');
}
