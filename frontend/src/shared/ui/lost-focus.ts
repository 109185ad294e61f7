/**
 * What a dialog was opened from may be gone when it closes, as a button of what was deleted is, and the
 * focus with it: the keyboard goes on at the row where it was, or in the page.
 */
export function catchLostFocus(document: Document): void {
  // After the dialog has given the focus back, if there was anything to give it to.
  setTimeout(() => {
    if (document.activeElement !== document.body) return;
    const row = document.querySelector<HTMLElement>('[role="grid"] [role="row"][tabindex="0"]');
    (row ?? document.querySelector<HTMLElement>('main'))?.focus({ preventScroll: true });
  });
}
