/**
 * Takes what somebody types on, in the moment before there is a field for it: nobody waits for a dialog to be
 * loaded before the first letter. The page does not see these keys.
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

  /** Leaves the keys to the page again. @returns what was typed */
  end(): string {
    this.document.removeEventListener('keydown', this.listener, { capture: true });
    return this.text;
  }
}
