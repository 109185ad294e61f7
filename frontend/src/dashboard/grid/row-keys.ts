import type { Selection } from './selection';

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

interface SelectableRows {
  /** In the order of the rows. */
  keys: readonly string[];
  /** The row of the command. */
  key: string;
  selection: Selection;
  go: (key: string) => void;
  open: () => void;
}

/** Runs a command, except for those within a row. */
export function runMove(
  move: Exclude<RowMove, { sort: 'within' }>,
  { keys, key, selection, go, open }: SelectableRows,
): void {
  const neighbor = (by: number): string => keys[keys.indexOf(key) + by] ?? key;
  switch (move.sort) {
    case 'go':
      go(neighbor(move.by));
      break;
    case 'end':
      go(keys.at(move.last ? -1 : 0) ?? key);
      break;
    case 'extend':
      if (!selection.has(key)) selection.toggle(key);
      selection.extendTo(neighbor(move.by), keys);
      go(neighbor(move.by));
      break;
    case 'toggle':
      selection.toggle(key);
      break;
    case 'range':
      selection.extendTo(key, keys);
      break;
    case 'all':
      selection.set(keys);
      break;
    case 'none':
      selection.clear();
      break;
    case 'open':
      open();
      break;
  }
}
