import { computed, signal } from '@angular/core';
import { toggled } from './toggled';

/** The keys of selected rows. A range starts at the last toggled row. */
export class Selection {
  private readonly selected = signal<ReadonlySet<string>>(new Set());
  private anchor: string | null = null;
  readonly keys = this.selected.asReadonly();
  readonly size = computed(() => this.selected().size);

  has(key: string): boolean {
    return this.selected().has(key);
  }

  toggle(key: string): void {
    this.anchor = key;
    this.selected.update((keys) => toggled(keys, key));
  }

  /** Adds the rows from the last toggled one to this one. */
  extendTo(key: string, order: readonly string[]): void {
    const to = order.indexOf(key);
    const from = this.anchor === null ? to : order.indexOf(this.anchor);
    const range = order.slice(Math.min(from < 0 ? to : from, to), Math.max(from, to) + 1);
    this.anchor = order[from] ?? key;
    this.selected.update((keys) => new Set([...keys, ...range]));
  }

  /** By a checkbox; with Shift, as a range. */
  pick(key: string, range: boolean, order: readonly string[]): void {
    if (range) this.extendTo(key, order);
    else this.toggle(key);
  }

  hasAll(order: readonly string[]): boolean {
    const keys = this.selected();
    return order.length > 0 && keys.size >= order.length && order.every((key) => keys.has(key));
  }

  /** Selects all rows, or clears the selection if it has them all. */
  toggleAll(order: readonly string[]): void {
    if (this.hasAll(order)) this.clear();
    else this.set(order);
  }

  set(keys: Iterable<string>): void {
    this.selected.set(new Set(keys));
  }

  clear(): void {
    this.anchor = null;
    this.selected.set(new Set());
  }
}
