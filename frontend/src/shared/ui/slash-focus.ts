import { Directive, ElementRef, inject } from '@angular/core';

/** What takes keys for itself: where one types, and what stands above the page. */
const TAKES_KEYS =
  'input, textarea, select, [contenteditable="true"], [role="dialog"], [role="alertdialog"], [role="menu"]';

/** Whether a key that was pressed, without modifiers, is meant for the page rather than for a field or a dialog. */
export function isForPage({ target, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  if (ctrlKey || metaKey || altKey) return false;
  return !(target instanceof Element && target.closest(TAKES_KEYS));
}

/** With caps lock, too, a letter is a small one unless shift is held. */
export function keyName({ key, shiftKey }: KeyboardEvent): string {
  if (!/^[a-z]$/i.test(key)) return key;
  return shiftKey ? key.toUpperCase() : key.toLowerCase();
}

/** A field that the key `/` leads to, with what is in it selected. */
@Directive({
  selector: 'input[swSlashFocus]',
  host: { '(document:keydown)': 'press($event)' },
})
export class SlashFocus {
  private readonly field = inject<ElementRef<HTMLInputElement>>(ElementRef).nativeElement;

  protected press(event: KeyboardEvent): void {
    if (event.key !== '/' || !isForPage(event)) return;
    event.preventDefault();
    this.field.focus();
    this.field.select();
  }
}
