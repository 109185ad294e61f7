import { computed, signal } from '@angular/core';

/** Which rows are chosen, by their keys; a range runs from the one that was chosen last. */
export class Selection {
  private readonly chosen = signal<ReadonlySet<string>>(new Set());
  private anchor: string | null = null;
  readonly keys = this.chosen.asReadonly();
  readonly size = computed(() => this.chosen().size);

  has(key: string): boolean {
    return this.chosen().has(key);
  }

  toggle(key: string): void {
    this.anchor = key;
    this.chosen.update((keys) => {
      const changed = new Set(keys);
      if (!changed.delete(key)) changed.add(key);
      return changed;
    });
  }

  /** Chooses all from the last chosen one to this one, as the rows stand. */
  extendTo(key: string, order: readonly string[]): void {
    const to = order.indexOf(key);
    const from = this.anchor === null ? to : order.indexOf(this.anchor);
    const range = order.slice(Math.min(from < 0 ? to : from, to), Math.max(from, to) + 1);
    this.anchor = order[from] ?? key;
    this.chosen.update((keys) => new Set([...keys, ...range]));
  }

  set(keys: Iterable<string>): void {
    this.chosen.set(new Set(keys));
  }

  clear(): void {
    this.anchor = null;
    this.chosen.set(new Set());
  }
}
