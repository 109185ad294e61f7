/** Deprecated, but supported by every browser. */
interface CopyCommand {
  execCommand?: (command: 'copy') => boolean;
}

/**
 * Copies a text to the clipboard. The clipboard API needs HTTPS or localhost; otherwise the text is copied by
 * selecting it, which works only right after a click or a key press. @throws Error with the reason
 */
export async function copyText(text: string): Promise<void> {
  const clipboard = navigator.clipboard as Clipboard | undefined;
  if (clipboard) await clipboard.writeText(text);
  else if (!copySelected(text)) {
    throw new Error(
      $localize`The browser allows clipboard access over HTTPS or on localhost only. Select the text and copy it.`,
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
