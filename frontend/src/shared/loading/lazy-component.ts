import { signal, type Type } from '@angular/core';
import { loadPart } from './load-part';

/** A component for `NgComponentOutlet`, loaded on demand. Unlike `@defer`, a failed load can be repeated. */
export class LazyComponent {
  readonly component = signal<Type<unknown> | undefined>(undefined);
  readonly failed = signal(false);

  constructor(private readonly source: () => Promise<Type<unknown>>) {}

  async load(): Promise<void> {
    this.failed.set(false);
    try {
      this.component.set(await loadPart(this.source));
    } catch {
      this.failed.set(true);
    }
  }
}
