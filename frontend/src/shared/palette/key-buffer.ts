/**
 * Collects typed characters until the palette has loaded, because people type before it opens. The page does
 * not receive these keys.
 */
export class KeyBuffer {
  private text = '';
  private readonly listener = (event: KeyboardEvent): void => {
    const { key, ctrlKey, metaKey, altKey } = event;
    if (ctrlKey || metaKey || altKey || event.isComposing) return;
    if (key === 'Backspace') this.text = this.text.slice(0, -1);
    else if ([...key].length === 1) this.text += key;
    else return;
    event.preventDefault();
    event.stopPropagation();
  };

  constructor(private readonly document: Document) {
    document.addEventListener('keydown', this.listener, { capture: true });
  }

  /** Stops collecting. @returns the typed text */
  end(): string {
    this.document.removeEventListener('keydown', this.listener, { capture: true });
    return this.text;
  }
}
