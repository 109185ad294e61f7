import { Injectable } from '@nestjs/common';
import { Subject, type Observable } from 'rxjs';
import { redact } from '../../core/logging/index.js';
import type { JournalEntry, JournalFilter, NewJournalEntry } from './journal-entry.js';
import { JournalStore } from './journal.store.js';

export interface JournalPage {
  entries: JournalEntry[];
  total: number;
  page: number;
  total_pages: number;
  limit: number;
  offset: number;
}

/** What happened, for people: one entry per operation, and one for what befell nodes behind our back. */
@Injectable()
export class JournalService {
  private readonly written = new Subject<JournalEntry>();

  constructor(private readonly store: JournalStore) {}

  /** Each entry once it is written or completed. */
  get changes(): Observable<JournalEntry> {
    return this.written.asObservable();
  }

  record(entry: NewJournalEntry): void {
    this.written.next(this.store.insert(clean(entry), new Date().toISOString()));
  }

  /** Ends the entry that a job began. Part of the caller's transaction; `announce` follows its commit. */
  complete(jobId: number, entry: NewJournalEntry): { announce: () => void } {
    const completed = this.store.complete(jobId, clean(entry), new Date().toISOString());
    return { announce: () => this.written.next(completed) };
  }

  recent(filter: JournalFilter, limit: number, offset: number): JournalPage {
    const { entries, total } = this.store.page(filter, limit, offset);
    return {
      entries,
      total,
      page: Math.floor(offset / limit) + 1,
      total_pages: Math.ceil(total / limit),
      limit,
      offset,
    };
  }
}

function clean(entry: NewJournalEntry): NewJournalEntry {
  return { ...entry, message: redact(entry.message).slice(0, 2000) };
}
