import type { AppLogger } from '../../../core/logging/index.js';
import { isAborted } from '../../../core/threads/index.js';
import type { ResourceApi, ResourceType, TableQuery } from '../../../drivers/kubernetes/index.js';
import { listRows } from './printed-row.js';
import { explainFailure } from './explain-failure.js';
import type { TableStore } from './table-store.js';

const MAX_ROWS = 50_000;
const POLL_MS = 30_000;
/** A watch that ends sooner is not restarted at once. */
const SHORT_WATCH_MS = 1000;
/** Doubled after each failure. */
const MIN_BACKOFF_MS = 500;
const MAX_BACKOFF_MS = 30_000;

/** Keeps a store in sync with the cluster, by a list followed by watches. */
export class TableReflector {
  private readonly ended = new AbortController();
  private watching = new AbortController();
  private wake: (() => void) | undefined;
  private failures = 0;

  constructor(
    private readonly type: ResourceType,
    private readonly store: TableStore,
    private readonly open: () => Promise<ResourceApi>,
    private readonly selection: Pick<TableQuery, 'fieldSelector'>,
    /** Otherwise it is polled. */
    private readonly isWatched: boolean,
    private readonly logger: AppLogger,
  ) {}

  /** Resolves after `end`, and never rejects. */
  async run(): Promise<void> {
    while (!this.isEnded()) {
      try {
        await this.sync();
      } catch {
        if (this.isEnded()) return;
        // A broken watch is reported only if the next list fails too.
        await this.pause(Math.min(MIN_BACKOFF_MS * 2 ** this.failures, MAX_BACKOFF_MS));
        this.failures += 1;
      }
    }
  }

  end(): void {
    this.ended.abort();
    this.interrupt();
  }

  interrupt(): void {
    this.watching.abort();
    this.wake?.();
  }

  retry(): void {
    if (this.failures > 0) this.wake?.();
  }

  /** Lists, then watches until the resource version expires. */
  private async sync(): Promise<void> {
    let version = await this.list();
    if (!this.isWatched) {
      this.failures = 0;
      await this.pause(POLL_MS);
      return;
    }
    for (;;) {
      const startedAt = performance.now();
      this.watching = new AbortController();
      const { signal } = this.watching;
      if (this.isEnded()) return;
      const api = await this.open();
      if (isAborted(signal)) return;
      const reason = await api.watch(this.type, {
        ...this.selection,
        resourceVersion: version,
        signal,
        onChanges: (changes, resourceVersion) => {
          version = resourceVersion;
          this.store.apply(changes, Date.now());
        },
      });
      this.failures = 0;
      if (isAborted(signal)) return;
      if (performance.now() - startedAt < SHORT_WATCH_MS) await this.pause(SHORT_WATCH_MS);
      if (reason === 'expired') return;
    }
  }

  private async list(): Promise<string> {
    try {
      const api = await this.open();
      const { format, rows, resourceVersion } = await listRows(
        api,
        this.type,
        MAX_ROWS,
        this.selection,
        (page) => {
          // Readers of the first page do not wait for the last one.
          if (!this.store.isListed) this.store.append(page.format, page.rows, page.remaining);
        },
      );
      if (!this.isEnded()) this.store.replace(format, rows);
      return resourceVersion;
    } catch (error) {
      // Viewers wait for the first list, so they need its error at once.
      if (!this.isEnded()) this.store.fail(explainFailure(error, this.type.plural, this.logger));
      throw error;
    }
  }

  private async pause(milliseconds: number): Promise<void> {
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
