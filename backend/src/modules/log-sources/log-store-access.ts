import { Injectable } from '@nestjs/common';
import { BehaviorSubject, distinctUntilChanged } from 'rxjs';
import { Configuration } from '../../core/config/index.js';
import { DomainError, reasonOf, storageFailure, guardedInterval } from '../../core/errors/index.js';
import { AppLogger } from '../../core/logging/index.js';
import { DataDirectory } from '../../core/storage/index.js';
import {
  LOG_STORE_CAPABILITIES,
  openLogStore,
  type LogStore,
  type LogStoreCapabilities,
  type LogStoreKind,
  type LogStoreStatus,
  StoredLogs,
} from '../../drivers/log-store/index.js';
import type { LogStoreHealth } from './log-store.dto.js';
import { SourceRegistry } from './source-registry.js';

const WATCH_MS = 1000;
/** A store that cannot write retries each second: it is reported less often. */
const REPORT_MS = 60_000;

/** The log store, once it is open. Callers wait for the first attempt to open it. */
@Injectable()
export class LogStoreAccess {
  /** Known before the store is open. */
  readonly kind: LogStoreKind;
  readonly capabilities: LogStoreCapabilities;
  private readonly lastHealth = new BehaviorSubject<LogStoreHealth | null>(null);
  private store: LogStore | undefined;
  private opening: Promise<LogStore> | undefined;
  private readonly first = Promise.withResolvers<LogStore>();
  /** The last attempt to open it, or the first one, which is still to come. */
  private last = this.first.promise;
  private reportedAt = -Infinity;
  private watch: NodeJS.Timeout | undefined;

  /** Its health and each change of it, within a second; null until the first attempt to open it has ended. */
  readonly health = this.lastHealth.pipe(distinctUntilChanged(isSameHealth));

  constructor(
    private readonly configuration: Configuration,
    private readonly dataDirectory: DataDirectory,
    private readonly registry: SourceRegistry,
    private readonly stored: StoredLogs,
    private readonly logger: AppLogger,
  ) {
    this.kind = configuration.values.logStore ? 'victorialogs' : 'embedded';
    this.capabilities = LOG_STORE_CAPABILITIES[this.kind];
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

  /** Of a process without the log board, which opens the store: requests fail instead of waiting for it. */
  refuse(): void {
    this.first.reject(
      new DomainError(
        'log_board_not_running',
        'The log board does not run in this process, so stored lines cannot be read here. Start both with slipway serve, or open the log board.',
      ),
    );
  }

  status(): LogStoreStatus {
    if (this.store) return this.store.status();
    const reason = this.lastHealth.value?.reason ?? 'The log store is not open yet.';
    return { state: 'unavailable', reason, pendingBytes: 0, discardedLines: 0, bytesOnDisk: null };
  }

  /** Data set aside or imported when the store was opened; null if none. */
  get notice(): string | null {
    return this.store?.notice ?? null;
  }

  async close(): Promise<void> {
    clearInterval(this.watch);
    this.stored.store = undefined;
    const store = await this.opening?.catch(() => undefined);
    await store?.close();
  }

  private check(store: LogStore): void {
    const { state, reason } = store.status();
    this.lastHealth.next({ open: true, state, reason, notice: store.notice });
    if (reason === null || performance.now() - this.reportedAt < REPORT_MS) return;
    this.reportedAt = performance.now();
    this.logger.warning('the log store does not work', { reason });
  }

  private async openNow(): Promise<LogStore> {
    try {
      const { logStore = null, logHistorySize, logSourceSize, logHistoryDays } = this.configuration.values;
      const store = await openLogStore(logStore, this.dataDirectory.root, {
        totalBytes: logHistorySize,
        bytesPerSource: logSourceSize,
        maxAgeDays: logHistoryDays,
      });
      if (store.notice !== null) this.logger.warning(store.notice);
      this.registry.open(store);
      this.store = store;
      this.stored.store = store;
      this.check(store);
      this.watch = guardedInterval(() => this.check(store), WATCH_MS, 'check the log store').unref();
      return store;
    } catch (error) {
      this.opening = undefined;
      const reason = storageFailure(error) ?? `Could not open the log store. ${reasonOf(error)}`;
      this.lastHealth.next({ open: false, state: 'unavailable', reason, notice: null });
      throw new DomainError('storage_unavailable', reason);
    }
  }
}

function isSameHealth(one: LogStoreHealth | null, other: LogStoreHealth | null): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
