import { booleanAttribute, Directive, ElementRef, inject, input } from '@angular/core';

/** Elements that handle keys themselves: fields and overlays. */
const TAKES_KEYS =
  'input, textarea, select, [contenteditable="true"], [role="dialog"], [role="alertdialog"], [role="menu"]';

/** Whether a key press without modifiers is for the page, not for a field or an overlay. */
export function isForPage({ target, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  if (ctrlKey || metaKey || altKey) return false;
  return !(target instanceof Element && target.closest(TAKES_KEYS));
}

/** The key; letters are lowercase unless Shift is held, also with Caps Lock. */
export function keyName({ key, shiftKey }: KeyboardEvent): string {
  if (!/^[a-z]$/i.test(key)) return key;
  return shiftKey ? key.toUpperCase() : key.toLowerCase();
}

/** A field that the key `/` focuses, with its text selected. */
@Directive({
  selector: 'input[swSlashFocus]',
  host: { '(document:keydown)': 'press($event)' },
})
export class SlashFocus {
  private readonly field = inject<ElementRef<HTMLInputElement>>(ElementRef).nativeElement;
  readonly swSlashFocus = input(true, { transform: booleanAttribute });

  protected press(event: KeyboardEvent): void {
    if (!this.swSlashFocus() || event.key !== '/' || !isForPage(event)) return;
    event.preventDefault();
    this.field.focus();
    this.field.select();
  }
}
