import { Directive, input } from '@angular/core';

/** The button of a form; without effect, but in reach of the keyboard, while it is off. */
@Directive({
  selector: 'button[swSubmit]',
  host: { type: 'submit', class: 'btn primary', '[attr.aria-disabled]': 'off() || null' },
})
export class SubmitButton {
  readonly off = input(false, { alias: 'swSubmit' });
}
