import { Directive } from '@angular/core';

/** Every `button` that names no other type: it does not submit the form around it. */
@Directive({ selector: 'button:not([type]):not([swSubmit])', host: { type: 'button' } })
export class PlainButton {}
