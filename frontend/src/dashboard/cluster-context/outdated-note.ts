import { Component, input, output } from '@angular/core';
import { Notice } from '../../shared/ui/notice';
import { PlainButton } from '../../shared/ui/plain-button';

/** A warning that a refresh failed, so the data below may be outdated. */
@Component({
  selector: 'sw-outdated-note',
  imports: [Notice, PlainButton],
  template: `
    <sw-notice tone="warning">
      <b i18n>This data may be outdated.</b> {{ reason() }}
      <button i18n action class="link" (click)="retry.emit()">Try again</button>
    </sw-notice>
  `,
  styles: `
    :host {
      display: block;
      margin-block: var(--s-3);
    }
  `,
})
export class OutdatedNote {
  readonly reason = input<string>();
  readonly retry = output();
}
