import { linkedSignal, type Signal } from '@angular/core';

/** The key of the one row in the tab order: the chosen row or, after its removal, its neighbor. Null without rows. */
export function currentRow(
  keys: Signal<readonly string[]>,
  chosen: () => string | null,
): Signal<string | null> {
  return linkedSignal<{ keys: readonly string[]; chosen: string | null }, string | null>({
    source: () => ({ keys: keys(), chosen: chosen() }),
    computation: (now, previous) => {
      if (now.chosen !== null && now.keys.includes(now.chosen)) return now.chosen;
      const before = previous?.source.keys ?? [];
      // A row can be chosen and removed at once.
      const isRemoved = now.chosen !== null && before.includes(now.chosen);
      return neighborOf(isRemoved ? now.chosen : (previous?.value ?? null), before, now.keys);
    },
  }).asReadonly();
}

/** The next row that is left, or else the one before. */
function neighborOf(key: string | null, before: readonly string[], now: readonly string[]): string | null {
  const left = new Set(now);
  const index = before.indexOf(key ?? '');
  const isLeft = (one: string): boolean => left.has(one);
  return before.slice(index).find(isLeft) ?? before.slice(0, index).findLast(isLeft) ?? now[0] ?? null;
}
