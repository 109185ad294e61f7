import { Service } from '@angular/core';

const PREFIX = 'slipway.columns.';

/** Column choices per kind, stored in the browser. */
@Service()
export class ColumnPreferences {
  /** @returns titles of columns; undefined for the default */
  read(kind: string): readonly string[] | undefined {
    try {
      const kept: unknown = JSON.parse(localStorage.getItem(PREFIX + kind) ?? 'null');
      if (!Array.isArray(kept)) return undefined;
      return kept.filter((title): title is string => typeof title === 'string').slice(0, 50);
    } catch {
      // Storage may be blocked or hold invalid data.
      return undefined;
    }
  }

  /** @param titles undefined for the default */
  save(kind: string, titles: readonly string[] | undefined): void {
    try {
      if (titles === undefined) localStorage.removeItem(PREFIX + kind);
      else localStorage.setItem(PREFIX + kind, JSON.stringify(titles));
    } catch {
      // The choice then lasts until the page is closed.
    }
  }
}
