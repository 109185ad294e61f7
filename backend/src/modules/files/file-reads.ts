import { Injectable } from '@nestjs/common';
import { currentActor } from '../../core/logging/index.js';
import { JournalService, type NewJournalEntry } from '../journal/index.js';

/** Accesses that are remembered. Beyond it, the oldest get another entry. */
const MAX_REMEMBERED = 10_000;

/** Records reads of files before they happen. */
@Injectable()
export class FileReads {
  /** Times of entries by access, oldest first. */
  private readonly recorded = new Map<string, number>();

  constructor(private readonly journal: JournalService) {}

  /**
   * Accesses of the same actor with the same key share an entry for a period.
   * @throws Error if the entry cannot be written. Then nothing must be read.
   */
  record(key: readonly string[], periodMs: number, entry: NewJournalEntry): void {
    const { kind, user, id, address } = currentActor();
    const access = JSON.stringify([entry.kind, ...key, kind, user, id, address]);
    const now = Date.now();
    const age = now - (this.recorded.get(access) ?? -Infinity);
    if (age >= 0 && age < periodMs) return;
    this.journal.record(entry);
    this.recorded.delete(access);
    this.recorded.set(access, now);
    const [oldest] = this.recorded.keys();
    if (this.recorded.size > MAX_REMEMBERED && oldest !== undefined) this.recorded.delete(oldest);
  }
}
