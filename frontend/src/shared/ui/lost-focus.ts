/** Focuses the current row or the page if a dialog closes after its opener was removed. */
export function catchLostFocus(): void {
  // After the dialog has restored the focus.
  setTimeout(() => {
    if (document.activeElement !== document.body) return;
    const row = document.querySelector<HTMLElement>('[role="grid"] [role="row"][tabindex="0"]');
    (row ?? document.querySelector<HTMLElement>('main'))?.focus({ preventScroll: true });
  });
}
