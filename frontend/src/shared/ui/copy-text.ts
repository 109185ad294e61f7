/** What every browser still has, and the types no longer name as something to use. */
interface CopyCommand {
  execCommand?: (command: 'copy') => boolean;
}

/**
 * Puts a text into the clipboard. Over plain HTTP beyond this machine browsers give pages no clipboard: there it is
 * copied as if somebody had selected it, which has to be within a moment of a click or a key.
 * @throws Error that says why not
 */
export async function copyText(text: string): Promise<void> {
  const clipboard = navigator.clipboard as Clipboard | undefined;
  if (clipboard) await clipboard.writeText(text);
  else if (!copySelected(text)) {
    throw new Error(
      'This browser gives the clipboard only to pages that come over HTTPS or from this machine. Select the text and copy it yourself.',
    );
  }
}

function copySelected(text: string): boolean {
  const focused = document.activeElement;
  const field = document.createElement('textarea');
  field.value = text;
  field.readOnly = true;
  field.className = 'sr-only';
  document.body.append(field);
  field.focus({ preventScroll: true });
  field.select();
  try {
    return (document as CopyCommand).execCommand?.('copy') ?? false;
  } finally {
    field.remove();
    if (focused instanceof HTMLElement) focused.focus({ preventScroll: true });
  }
}
