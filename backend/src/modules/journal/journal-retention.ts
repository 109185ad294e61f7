import { setImmediate as nextTurn } from 'node:timers/promises';
import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { guardedInterval } from '../../core/errors/index.js';
import { Configuration } from '../../core/config/index.js';
import { AppLogger } from '../../core/logging/index.js';
import { JournalStore } from './journal.store.js';

const EVERY_MS = 60 * 60_000;
const DAY_MS = 24 * 60 * 60_000;
/** Entries that are deleted at once. Requests are served in between. */
const BATCH = 1000;

/** Deletes entries beyond the configured age and number, at startup and every hour. */
@Injectable()
export class JournalRetention implements OnApplicationBootstrap, OnApplicationShutdown {
  private timer: NodeJS.Timeout | undefined;
  private stopped = false;

  constructor(
    private readonly store: JournalStore,
    private readonly configuration: Configuration,
    private readonly logger: AppLogger,
  ) {}

  onApplicationBootstrap(): void {
    void this.run();
    this.timer = guardedInterval(() => this.run(), EVERY_MS, 'delete old journal entries');
    this.timer.unref();
  }

  onApplicationShutdown(): void {
    this.stopped = true;
    clearInterval(this.timer);
  }

  async run(): Promise<void> {
    const { journalDays, journalEntries: kept } = this.configuration.values;
    const before = new Date(Date.now() - journalDays * DAY_MS).toISOString();
    try {
      while (!this.stopped && this.store.deleteOldest({ before, kept, most: BATCH }) > 0) await nextTurn();
    } catch (error) {
      this.logger.failure('could not delete old journal entries', error);
    }
  }
}
