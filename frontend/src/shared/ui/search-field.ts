import { Component, type ElementRef, input, model, viewChild } from '@angular/core';
import { Icon } from './icon';
import { SlashFocus } from './slash-focus';
import { Verbatim } from './verbatim';

@Component({
  selector: 'sw-search-field',
  imports: [Icon, SlashFocus, Verbatim],
  template: `
    <sw-icon name="search" />
    <input
      swVerbatim
      #field
      type="search"
      maxlength="200"
      [attr.aria-label]="label() ?? placeholder()"
      [placeholder]="placeholder()"
      [swSlashFocus]="slash()"
      [value]="text()"
      (input)="text.set(field.value)"
      (keydown.escape)="text.set('')"
    />
    @if (slash() && text() === '') {
      <kbd class="key-hints" aria-hidden="true">/</kbd>
    }
  `,
  host: { class: 'field' },
})
export class SearchField {
  readonly text = model.required<string>();
  readonly placeholder = input.required<string>();
  /** If it says more than the placeholder. */
  readonly label = input<string>();
  readonly slash = input(false);
  private readonly field = viewChild.required<ElementRef<HTMLInputElement>>('field');

  focus(): void {
    this.field().nativeElement.focus();
  }
}
