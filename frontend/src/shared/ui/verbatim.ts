import { Directive } from '@angular/core';

/** A field for names and code, in which the browser completes, capitalizes and checks nothing. */
@Directive({
  selector: 'input[swVerbatim]',
  host: { autocomplete: 'off', autocapitalize: 'none', spellcheck: 'false' },
})
export class Verbatim {}
