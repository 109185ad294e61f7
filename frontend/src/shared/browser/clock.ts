import { effect, inject, Service, signal } from '@angular/core';
import { PageVisibility } from './page-visibility';

/** The current time, updated every second while the page is visible. */
@Service()
export class Clock {
  private readonly time = signal(Date.now());
  /** Milliseconds since the epoch. */
  readonly now = this.time.asReadonly();

  constructor() {
    const { visible } = inject(PageVisibility);
    effect((onCleanup) => {
      if (!visible()) return;
      this.time.set(Date.now());
      const timer = setInterval(() => this.time.set(Date.now()), 1000);
      onCleanup(() => clearInterval(timer));
    });
  }
}
