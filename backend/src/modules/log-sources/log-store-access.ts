import { Injectable } from '@nestjs/common';
import { Configuration } from '../../core/config/index.js';
import { DomainError, reasonOf, storageFailure } from '../../core/errors/index.js';
import { AppLogger } from '../../core/logging/index.js';
import { DataDirectory } from '../../core/storage/index.js';
import { openLogStore, type LogStore } from '../../drivers/log-store/index.js';
import { SourceRegistry } from './source-registry.js';

const WATCH_MS = 1000;
/** A store that cannot write retries each second: it is reported less often. */
const REPORT_MS = 60_000;

/** The log store, once it is open. Callers wait for the first attempt to open it. */
@Injectable()
export class LogStoreAccess {
  private readonly logger: AppLogger;
  private opening: Promise<LogStore> | undefined;
  private readonly first = Promise.withResolvers<LogStore>();
  /** The last attempt to open it, or the first one, which is still to come. */
  private last = this.first.promise;
  private reportedAt = -Infinity;
  private watch: NodeJS.Timeout | undefined;

  constructor(
    private readonly configuration: Configuration,
    private readonly dataDirectory: DataDirectory,
    private readonly registry: SourceRegistry,
    logger: AppLogger,
  ) {
    this.logger = logger.child({ context: LogStoreAccess.name });
    // If nothing waits for it yet, the caller of `open` gets the reason.
    this.first.promise.catch(() => undefined);
  }

  /** @throws DomainError `storage_unavailable` if it could not be opened; the next attempt may succeed */
  get(): Promise<LogStore> {
    return this.last;
  }

  /** Opens it, unless it is open. @throws DomainError `storage_unavailable`; call it again to retry */
  async open(): Promise<LogStore> {
    if (!this.opening) {
      this.opening = this.openNow();
      this.last = this.opening;
      this.first.resolve(this.opening);
    }
    return await this.opening;
  }

  async close(): Promise<void> {
    clearInterval(this.watch);
    const store = await this.opening?.catch(() => undefined);
    await store?.close();
  }

  private report(store: LogStore): void {
    const { reason } = store.status();
    if (reason === null || Date.now() - this.reportedAt < REPORT_MS) return;
    this.reportedAt = Date.now();
    this.logger.warning('the log store does not work', { reason });
  }

  private async openNow(): Promise<LogStore> {
    try {
      const { logHistorySize, logSourceSize, logHistoryDays } = this.configuration.values;
      const store = await openLogStore(this.dataDirectory.root, {
        totalBytes: logHistorySize,
        bytesPerSource: logSourceSize,
        maxAgeDays: logHistoryDays,
      });
      this.watch = setInterval(() => this.report(store), WATCH_MS).unref();
      if (store.notice !== null) this.logger.warning(store.notice);
      this.registry.open(store);
      return store;
    } catch (error) {
      this.opening = undefined;
      const reason = storageFailure(error) ?? `Could not open the log store. ${reasonOf(error)}`;
      throw new DomainError('storage_unavailable', reason);
    }
  }
}
