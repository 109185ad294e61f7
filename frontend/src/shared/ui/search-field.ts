import { Component, type ElementRef, input, model, viewChild } from '@angular/core';
import { Icon } from './icon';
import { SlashFocus } from './slash-focus';

@Component({
  selector: 'sw-search-field',
  imports: [Icon, SlashFocus],
  template: `
    <sw-icon name="search" />
    <input
      #field
      type="search"
      maxlength="200"
      autocomplete="off"
      autocapitalize="none"
      spellcheck="false"
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
