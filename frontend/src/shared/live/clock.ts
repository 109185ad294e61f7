import { effect, inject, Service, signal } from '@angular/core';
import { PageVisibility } from './page-visibility';

/** The time of day, to the second, while the page is seen. */
@Service()
export class Clock {
  private readonly time = signal(Date.now());
  /** Milliseconds since 1970. */
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
