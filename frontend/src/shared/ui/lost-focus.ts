/** Focuses the current row, the open panel or the page if what had the focus, or opened a dialog, was removed. */
export function catchLostFocus(): void {
  // After the dialog has restored the focus.
  setTimeout(() => {
    if (document.activeElement !== document.body) return;
    const next = ['[role="grid"] [role="row"][tabindex="0"]', '#object-title', 'main']
      .map((selector) => document.querySelector<HTMLElement>(selector))
      .find((found) => found !== null);
    next?.focus({ preventScroll: true });
  });
}
