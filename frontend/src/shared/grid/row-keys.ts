import { rowAfter } from './row-steps';
import type { Selection } from './selection';

/** A keyboard command in a list of rows with one tab stop. */
export type RowMove =
  | { sort: 'go'; by: number; extend: boolean }
  | { sort: 'within'; by: number }
  | { sort: 'toggle' }
  | { sort: 'range' }
  | { sort: 'open' }
  | { sort: 'all' }
  | { sort: 'none' };

/** How many rows a key moves by; undefined for other keys and, without a page size, for those of a page. */
export function rowsOf(key: string, page?: number): number | undefined {
  const rows: Readonly<Record<string, number | undefined>> = {
    ArrowDown: 1,
    ArrowUp: -1,
    PageDown: page,
    PageUp: page && -page,
    Home: -Infinity,
    End: Infinity,
  };
  return rows[key];
}

/**
 * @param onRow whether the row itself has the focus, not a control in it
 * @returns undefined for other keys
 */
export function readKey(
  { key, shiftKey, ctrlKey, metaKey, altKey }: KeyboardEvent,
  onRow: boolean,
  page?: number,
): RowMove | undefined {
  if (altKey) return undefined;
  if (ctrlKey || metaKey) return key.toLowerCase() === 'a' ? { sort: 'all' } : undefined;
  const by = rowsOf(key, page);
  if (by !== undefined) return { sort: 'go', by, extend: shiftKey };
  switch (key) {
    case 'ArrowRight':
      return { sort: 'within', by: 1 };
    case 'ArrowLeft':
      return { sort: 'within', by: -1 };
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
  switch (move.sort) {
    case 'go': {
      const neighbor = keys[rowAfter(keys.indexOf(key), move.by, keys.length)] ?? key;
      if (move.extend) {
        if (!selection.has(key)) selection.toggle(key);
        selection.extendTo(neighbor, keys);
      }
      go(neighbor);
      break;
    }
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
