import { Service, signal } from '@angular/core';
import type { ClusterKey } from '../../shared/api/api';

/** Where a shell runs. */
export type ShellTarget = { key: ClusterKey } & (
  | { target: 'node'; node: string }
  | { target: 'container'; namespace: string; pod: string; container?: string }
  | { target: 'debug'; namespace: string; pod: string; container?: string; image: string }
);

export interface ShellTab {
  id: number;
  target: ShellTarget;
}

/** The shells of this browser tab. They survive navigation, and end with the page. */
@Service()
export class Shells {
  private last = 0;
  private readonly open = signal<readonly ShellTab[]>([]);
  readonly tabs = this.open.asReadonly();
  /** The id of the visible tab. */
  readonly shown = signal(0);
  readonly minimized = signal(false);

  start(target: ShellTarget): void {
    this.last += 1;
    const { last: id } = this;
    this.open.update((tabs) => [...tabs, { id, target }]);
    this.shown.set(id);
    this.minimized.set(false);
  }

  /** Shows the neighbor of a closed tab. */
  close(id: number): void {
    const tabs = this.open();
    const at = tabs.findIndex((tab) => tab.id === id);
    const left = tabs.filter((tab) => tab.id !== id);
    this.open.set(left);
    if (this.shown() === id) this.shown.set((left[at] ?? left.at(-1))?.id ?? 0);
  }

  /** Shows the next tab, or the previous one with -1. */
  step(by: 1 | -1): void {
    const tabs = this.open();
    const at = tabs.findIndex(({ id }) => id === this.shown());
    this.shown.set(tabs.at((at + by) % tabs.length)?.id ?? 0);
  }
}
