/** A keyboard command in a list of rows with one tab stop. */
export type RowMove =
  | { sort: 'go'; by: number }
  | { sort: 'end'; last: boolean }
  | { sort: 'extend'; by: number }
  | { sort: 'within'; by: number }
  | { sort: 'toggle' }
  | { sort: 'range' }
  | { sort: 'open' }
  | { sort: 'all' }
  | { sort: 'none' };

/**
 * @param onRow whether the row itself has the focus, not a control in it
 * @returns undefined for other keys
 */
export function readKey(
  { key, shiftKey, ctrlKey, metaKey, altKey }: KeyboardEvent,
  onRow: boolean,
): RowMove | undefined {
  if (altKey) return undefined;
  if (ctrlKey || metaKey) return key.toLowerCase() === 'a' ? { sort: 'all' } : undefined;
  switch (key) {
    case 'ArrowDown':
      return { sort: shiftKey ? 'extend' : 'go', by: 1 };
    case 'ArrowUp':
      return { sort: shiftKey ? 'extend' : 'go', by: -1 };
    case 'ArrowRight':
      return { sort: 'within', by: 1 };
    case 'ArrowLeft':
      return { sort: 'within', by: -1 };
    case 'Home':
      return { sort: 'end', last: false };
    case 'End':
      return { sort: 'end', last: true };
    case 'Escape':
      return { sort: 'none' };
    case ' ':
      return onRow ? { sort: shiftKey ? 'range' : 'toggle' } : undefined;
    case 'Enter':
      return onRow ? { sort: 'open' } : undefined;
    default:
      return undefined;
  }
}
