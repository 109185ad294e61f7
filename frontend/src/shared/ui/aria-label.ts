import { Directive, input } from '@angular/core';
import { rawText } from '../format/raw-text';

/**
 * Sets `aria-label` to a translated text with interpolation. Angular 22 drops an interpolated `aria-label` that has
 * `i18n-aria-label`, because it sets i18n attributes as DOM properties.
 */
@Directive({ selector: '[swAriaLabel]', host: { '[attr.aria-label]': 'swAriaLabel()' } })
export class AriaLabel {
  readonly swAriaLabel = input.required({ transform: rawText });
}
