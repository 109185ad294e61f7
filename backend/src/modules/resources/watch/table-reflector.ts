import type { AppLogger } from '../../../core/logging/index.js';
import type { ResourceApi, ResourceType } from '../../../drivers/kubernetes/index.js';
import { listRows } from './printed-row.js';
import { explainFailure } from './explain-failure.js';
import type { TableStore } from './table-store.js';

/** A list of more rows than this is kept up to here. */
const MAX_KEPT = 50_000;
/** How often kinds are listed that are not watched. */
const POLL_MS = 30_000;
/** A watch that ends sooner than this is not begun again at once. */
const SHORT_WATCH_MS = 1000;
/** Rest after a failure, doubled with each, and the longest. */
const FIRST_REST_MS = 500;
const LONGEST_REST_MS = 30_000;

/** Keeps a store like its cluster until it is ended. */
export class TableReflector {
  private readonly ended = new AbortController();
  private watching = new AbortController();
  private wake: (() => void) | undefined;
  private failures = 0;

  constructor(
    private readonly type: ResourceType,
    private readonly store: TableStore,
    private readonly open: () => Promise<ResourceApi>,
    /** Otherwise it is listed again and again. */
    private readonly isWatched: boolean,
    private readonly logger: AppLogger,
  ) {}

  /** Resolves after `end`, and never rejects. */
  async run(): Promise<void> {
    while (!this.isEnded()) {
      try {
        await this.follow();
      } catch {
        if (this.isEnded()) return;
        // A watch that broke is told only when the list that follows fails too.
        await this.rest(Math.min(FIRST_REST_MS * 2 ** this.failures, LONGEST_REST_MS));
        this.failures += 1;
      }
    }
  }

  end(): void {
    this.ended.abort();
    this.interrupt();
  }

  /** Looks anew: at once where it rests, and where it watches what may not be there any more. */
  interrupt(): void {
    this.watching.abort();
    this.wake?.();
  }

  /** Goes on at once where it rests after a failure. */
  retry(): void {
    if (this.failures > 0) this.wake?.();
  }

  /** Lists, and watches from there until the list is too old. */
  private async follow(): Promise<void> {
    let version = await this.list();
    if (!this.isWatched) {
      this.failures = 0;
      await this.rest(POLL_MS);
      return;
    }
    for (;;) {
      const begun = performance.now();
      this.watching = new AbortController();
      const { signal } = this.watching;
      if (this.isEnded()) return;
      const api = await this.open();
      if (isAborted(signal)) return;
      const ending = await api.watch(this.type, {
        resourceVersion: version,
        signal,
        onChanges: (changes, resourceVersion) => {
          version = resourceVersion;
          this.store.apply(changes, Date.now());
        },
      });
      this.failures = 0;
      if (isAborted(signal)) return;
      if (performance.now() - begun < SHORT_WATCH_MS) await this.rest(SHORT_WATCH_MS);
      if (ending === 'expired') return;
    }
  }

  private async list(): Promise<string> {
    try {
      const { format, rows, resourceVersion } = await listRows(await this.open(), this.type, MAX_KEPT);
      if (!this.isEnded()) this.store.replace(format, rows);
      return resourceVersion;
    } catch (error) {
      // A first answer is waited for: why there is none must not come late.
      if (!this.isEnded()) this.store.fail(explainFailure(error, `its ${this.type.plural}`, this.logger));
      throw error;
    }
  }

  private async rest(milliseconds: number): Promise<void> {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, milliseconds);
      timer.unref();
      this.wake = () => {
        clearTimeout(timer);
        resolve();
      };
      if (this.isEnded()) this.wake();
    });
    this.wake = undefined;
  }

  private isEnded(): boolean {
    return isAborted(this.ended.signal);
  }
}

/** A function, because the compiler takes what it saw once for still true after a wait. */
function isAborted(signal: AbortSignal): boolean {
  return signal.aborted;
}
