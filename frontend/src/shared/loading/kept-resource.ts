import { computed, effect, inject, resource, signal, untracked } from '@angular/core';
import { ApiProblem } from '../api/api-problem';
import { PageVisibility } from '../live/page-visibility';

/**
 * Data of the API that stays shown while it is reloaded, and if reloading fails. Reloads when its tab becomes
 * visible again. Requires an injection context.
 */
export class KeptResource<T> {
  private readonly source = resource({
    params: () => (this.enabled ? true : undefined),
    loader: () => this.load(),
  });
  /** The last response; null before the first. */
  readonly value = signal<T | null>(null);
  readonly isLoading = this.source.isLoading;
  readonly problem = computed(() => {
    const error = this.source.error();
    return error ? ApiProblem.of(error) : null;
  });

  constructor(
    private readonly load: () => Promise<T>,
    private readonly enabled = true,
  ) {
    const { visible } = inject(PageVisibility);
    effect(() => {
      if (this.source.hasValue()) this.value.set(this.source.value());
    });
    let isFirst = true;
    effect(() => {
      const isVisible = visible();
      if (isVisible && !isFirst) untracked(() => this.reload());
      isFirst = false;
    });
  }

  reload(): void {
    this.source.reload();
  }
}
