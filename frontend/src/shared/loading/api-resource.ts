import { computed, linkedSignal, resource } from '@angular/core';
import { ApiProblem } from '../api/api-problem';

/**
 * Data of the API, loaded again when its parameters change. The last value stays meanwhile, and if loading fails.
 * Requires an injection context.
 */
export class ApiResource<T, P = unknown> {
  private readonly source = resource({
    params: () => this.params(),
    loader: ({ params, abortSignal }) => this.load(params as P, abortSignal),
  });
  private readonly loaded = computed(() => (this.source.hasValue() ? this.source.value() : undefined));
  /** The last response; null before the first. */
  readonly value = linkedSignal<T | undefined, T | null>({
    source: this.loaded,
    computation: (loaded, before) => loaded ?? before?.value ?? null,
  });
  readonly isLoading = this.source.isLoading;
  readonly problem = computed(() => {
    const error = this.source.error();
    return error ? ApiProblem.of(error) : null;
  });

  /** @param params undefined to load nothing */
  constructor(
    private readonly load: (params: P, abort: AbortSignal) => Promise<T>,
    private readonly params: () => P | undefined = () => true as P,
  ) {}

  reload(): void {
    this.source.reload();
  }
}

/** Delays a load while the user types. Throws if the parameters have changed meanwhile. */
export async function typingPause(abort: AbortSignal, milliseconds = 250): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, milliseconds));
  abort.throwIfAborted();
}
