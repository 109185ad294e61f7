import { readStored, store } from '../../shared/browser/browser-storage';

const PREFIX = 'slipway.columns.';

/** The columns that the user chose for a kind, by title; undefined for the default. */
export function readColumns(kind: string): readonly string[] | undefined {
  const kept = readStored(PREFIX + kind);
  if (!Array.isArray(kept)) return undefined;
  return kept.filter((title): title is string => typeof title === 'string').slice(0, 50);
}

export function saveColumns(kind: string, titles: readonly string[] | undefined): void {
  store(PREFIX + kind, titles);
}
