import { Component, DestroyRef, DOCUMENT, inject } from '@angular/core';
import { READ_ONLY } from '../session/may-change';
import { disableControls, OF_FULL_SCOPE } from './disabled-controls';

/** In the header of a session of the scope `read`. Disables the controls that it may not use, and says why. */
@Component({
  selector: 'sw-read-only-tag',
  template: `<span i18n class="tag note nowrap" [title]="reason"
    >Read-only<span class="sr-only">: {{ reason }}</span></span
  >`,
})
export class ReadOnlyTag {
  protected readonly reason = READ_ONLY;

  constructor() {
    inject(DestroyRef).onDestroy(disableControls(inject(DOCUMENT), READ_ONLY, OF_FULL_SCOPE));
  }
}
