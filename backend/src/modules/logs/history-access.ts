import { Injectable } from '@nestjs/common';
import { Configuration } from '../../core/config/index.js';
import { DomainError, reasonOf, storageFailure } from '../../core/errors/index.js';
import { AppLogger } from '../../core/logging/index.js';
import { DataDirectory } from '../../core/storage/index.js';
import type { LogHistory } from './history/index.js';
import { SourceRegistry } from './sources/source-registry.js';

/** Writing is tried again each second: its trouble is told less often. */
const TROUBLE_MS = 60_000;

/** The history, once it is open. Whoever comes before its opening was tried waits for that. */
@Injectable()
export class HistoryAccess {
  private readonly logger: AppLogger;
  private opening: Promise<LogHistory> | undefined;
  private readonly first = Promise.withResolvers<LogHistory>();
  /** The last attempt to open it, or the first one, which is to come. */
  private last = this.first.promise;
  private toldAt = -Infinity;

  constructor(
    private readonly configuration: Configuration,
    private readonly dataDirectory: DataDirectory,
    private readonly registry: SourceRegistry,
    logger: AppLogger,
  ) {
    this.logger = logger.child({ context: HistoryAccess.name });
    // Where nobody waits for it yet, whoever opened it has the reason.
    this.first.promise.catch(() => undefined);
  }

  /** @throws DomainError where the disk does not let it be opened; the next attempt may */
  get(): Promise<LogHistory> {
    return this.last;
  }

  /** Opens it, unless it is open. @throws DomainError where the disk does not let it, until it is tried again */
  async open(): Promise<LogHistory> {
    if (!this.opening) {
      this.opening = this.openNow();
      this.last = this.opening;
      this.first.resolve(this.opening);
    }
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
      return history;
    } catch (error) {
      this.opening = undefined;
      const reason = storageFailure(error) ?? `The history of the logs cannot be opened: ${reasonOf(error)}`;
      throw new DomainError('storage_unavailable', reason);
    }
  }
}
