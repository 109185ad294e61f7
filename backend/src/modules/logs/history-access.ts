import { Injectable } from '@nestjs/common';
import { Configuration } from '../../core/config/index.js';
import { DomainError, reasonOf, storageFailure } from '../../core/errors/index.js';
import { AppLogger } from '../../core/logging/index.js';
import { DataDirectory } from '../../core/storage/index.js';
import type { LogHistory } from './history/index.js';
import { SourceRegistry } from './sources/source-registry.js';

/** Writing is tried again each second: its trouble is told less often. */
const TROUBLE_MS = 60_000;

/** The history, once it is open. Whoever comes before waits for it. */
@Injectable()
export class HistoryAccess {
  private readonly logger: AppLogger;
  private opening: Promise<LogHistory> | undefined;
  private readonly wanted = Promise.withResolvers<LogHistory>();
  private toldAt = -Infinity;

  constructor(
    private readonly configuration: Configuration,
    private readonly dataDirectory: DataDirectory,
    private readonly registry: SourceRegistry,
    logger: AppLogger,
  ) {
    this.logger = logger.child({ context: HistoryAccess.name });
    // Where nobody waits for it yet, whoever opened it has the reason.
    this.wanted.promise.catch(() => undefined);
  }

  /** @throws DomainError where the disk does not let it */
  get(): Promise<LogHistory> {
    return this.wanted.promise;
  }

  /** Opens it, once. @throws DomainError where the disk does not let it */
  async open(): Promise<LogHistory> {
    this.opening ??= this.openNow();
    return await this.opening;
  }

  async close(): Promise<void> {
    const history = await this.opening?.catch(() => undefined);
    await history?.close();
  }

  private tellTrouble(reason: string): void {
    if (Date.now() - this.toldAt < TROUBLE_MS) return;
    this.toldAt = Date.now();
    this.logger.warning('lines of logs cannot be written; they wait in memory, and it is tried again', {
      reason,
    });
  }

  private async openNow(): Promise<LogHistory> {
    try {
      // Loaded now: a dashboard alone has no use for it, and the start of the log board does not wait for it.
      const { LogHistory } = await import('./history/index.js');
      const { logHistorySize, logSourceSize, logHistoryDays } = this.configuration.values;
      const history = await LogHistory.open(
        this.dataDirectory.logs,
        { bytesInAll: logHistorySize, bytesPerSource: logSourceSize, maxAgeDays: logHistoryDays },
        { onTrouble: (reason) => this.tellTrouble(reason) },
      );
      if (history.notice !== null) this.logger.warning(history.notice);
      this.registry.open(history);
      this.wanted.resolve(history);
      return history;
    } catch (error) {
      const reason = storageFailure(error) ?? `The history of the logs cannot be opened: ${reasonOf(error)}`;
      const failure = new DomainError('storage_unavailable', reason);
      this.wanted.reject(failure);
      throw failure;
    }
  }
}
