import { Component, DestroyRef, DOCUMENT, inject } from '@angular/core';
import { disableControls, OF_FULL_SCOPE } from './disabled-controls';

const REASON = $localize`This session is read-only. Sign in with the password of the user to change something.`;

/** In the header of a session of the scope `read`. Disables the controls that it may not use, and says why. */
@Component({
  selector: 'sw-read-only-tag',
  template: `<span i18n class="tag note nowrap" [title]="reason"
    >Read-only<span class="sr-only">: {{ reason }}</span></span
  >`,
})
export class ReadOnlyTag {
  protected readonly reason = REASON;

  constructor() {
    inject(DestroyRef).onDestroy(disableControls(inject(DOCUMENT), REASON, OF_FULL_SCOPE));
  }
}
