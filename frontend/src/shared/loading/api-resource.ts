import { computed, effect, inject, resource, untracked } from '@angular/core';
import { Api, type Exact, type GetParams, type GetPath, type GetResponse, type Reading } from '../api/api';
import { ApiProblem } from '../api/api-problem';
import { PageVisibility } from '../browser/page-visibility';
import { ServerPresence } from '../browser/server-presence';
import { sameJson } from '../format/same-json';
import { lastKnown } from './last-known';

/** For parameters that the user types. */
export const TYPING_PAUSE_MS = 250;

interface Options {
  /** Delay of each load. It sends no request if the parameters change meanwhile. */
  delayMs?: number;
  /** Loads again when this value changes. */
  reloadOn?: () => unknown;
  /** Loads again when the tab becomes visible, and at an interval while it is. */
  refresh?: { everyMs?: number; when?: () => boolean };
}

interface Loaded<T, P> {
  params: P | undefined;
  value: T;
}

/**
 * Data of the API, loaded again when its parameters change, which cancels the old request. The last value stays
 * meanwhile, and if loading fails. Requires an injection context.
 */
export class ApiResource<T, P = unknown> {
  private readonly present = computed(() => this.params());
  private readonly source = resource({
    params: () => {
      const params = this.present();
      return params === undefined ? undefined : { params, stamp: this.options.reloadOn?.() };
    },
    loader: async ({ params: { params }, abortSignal }): Promise<Loaded<T, P>> => {
      const { delayMs } = this.options;
      if (delayMs) await new Promise((resolve) => setTimeout(resolve, delayMs));
      abortSignal.throwIfAborted();
      return { params, value: await this.load(params, abortSignal) };
    },
  });
  private readonly last = lastKnown(() => (this.source.hasValue() ? this.source.value() : undefined));
  /** The last response; null before the first. */
  readonly value = computed(() => this.last()?.value ?? null);
  /** The last response for the present parameters; null before it. */
  readonly current = computed(() => (this.last()?.params === this.present() ? this.value() : null));
  readonly isLoading = this.source.isLoading;
  readonly problem = computed(() => {
    const error = this.source.error();
    return error ? ApiProblem.of(error) : null;
  });

  /**
   * @param load must pass the signal to its requests
   * @param params undefined to load nothing
   */
  constructor(
    private readonly load: (params: P, signal: AbortSignal) => Promise<T>,
    private readonly params: () => P | undefined = () => ({}) as P,
    private readonly options: Options = {},
  ) {
    if (options.refresh) this.refresh(options.refresh);
    const server = inject(ServerPresence);
    effect(() => {
      if (!server.gone() && untracked(this.problem)?.code === 'offline') untracked(() => this.reload());
    });
  }

  reload(): void {
    this.source.reload();
  }

  /** Sets what a change returned. Ends a running load, which may be older. */
  set(value: T): void {
    this.source.set({ params: untracked(this.present), value });
  }

  /** Sets what a change leaves of the value. */
  update(change: (value: T) => T): void {
    const value = untracked(this.value);
    if (value !== null) this.set(change(value));
  }

  private refresh({ everyMs, when = () => true }: NonNullable<Options['refresh']>): void {
    const { visible } = inject(PageVisibility);
    let isFirst = true;
    effect((onCleanup) => {
      const isVisible = visible();
      if (isVisible && !isFirst) untracked(() => this.reload());
      isFirst = false;
      if (!isVisible || everyMs === undefined) return;
      const timer = setInterval(() => {
        if (!this.isLoading() && when()) this.reload();
      }, everyMs);
      onCleanup(() => clearInterval(timer));
    });
  }
}

/** An `ApiResource` of one route. Equal parameters do not load again. */
export function apiResource<TPath extends GetPath, T extends GetParams<TPath>>(
  path: TPath,
  ...[params, options]: object extends GetParams<TPath>
    ? [params?: () => Exact<T, GetParams<TPath>> | undefined, options?: Options]
    : [params: () => Exact<T, GetParams<TPath>> | undefined, options?: Options]
): ApiResource<GetResponse<TPath>, object> {
  const api = inject(Api);
  return new ApiResource<GetResponse<TPath>, object>(
    // The parameters of this function have been checked as those of `get`.
    (values, signal) => api.get(path, ...([values, signal] as unknown as Reading<`GET ${TPath}`, T>)),
    params && computed<object | undefined>(params, { equal: sameJson }),
    options,
  );
}
