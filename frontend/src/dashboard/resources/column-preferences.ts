import { Service } from '@angular/core';

const PREFIX = 'slipway.columns.';

/** The columns that a person has chosen for a kind, kept in this browser. */
@Service()
export class ColumnPreferences {
  /** @returns titles of columns; undefined where nothing was chosen */
  read(kind: string): readonly string[] | undefined {
    try {
      const kept: unknown = JSON.parse(localStorage.getItem(PREFIX + kind) ?? 'null');
      if (!Array.isArray(kept)) return undefined;
      return kept.filter((title): title is string => typeof title === 'string').slice(0, 50);
    } catch {
      // Storage may be forbidden, and what is in it may be anybody's.
      return undefined;
    }
  }

  /** @param titles undefined for the usual ones */
  keep(kind: string, titles: readonly string[] | undefined): void {
    try {
      if (titles === undefined) localStorage.removeItem(PREFIX + kind);
      else localStorage.setItem(PREFIX + kind, JSON.stringify(titles));
    } catch {
      // The choice then holds for as long as the page is open.
    }
  }
}
