import { setImmediate as nextTurn } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { Subject, type Observable } from 'rxjs';
import { currentActor, redact, type Actor } from '../../core/logging/index.js';
import { shortId, type JournalEntry, type NewJournalEntry } from './journal-entry.js';
import { JournalStore, type JournalPosition } from './journal.store.js';
import type { JournalActorDto, JournalFilterDto, JournalPageDto } from './journal.dto.js';

/** Entries that are scanned at once. It takes about 5 ms, after which other requests are served. */
const SLICE = 20_000;
const MAX_MESSAGE = 2000;

/** Records what happened and who did it: one entry per operation, and per event outside Slipway. */
@Injectable()
export class JournalService {
  private readonly written = new Subject<JournalEntry>();

  constructor(private readonly store: JournalStore) {}

  /** Every entry, after it is written or completed. */
  get changes(): Observable<JournalEntry> {
    return this.written.asObservable();
  }

  record(entry: NewJournalEntry): void {
    this.written.next(this.store.insert(clean(entry)));
  }

  /**
   * Completes the entry of a job and keeps its actor. Part of the caller's transaction; call `announce` after its
   * commit.
   */
  complete(jobId: number, entry: NewJournalEntry): { announce: () => void } {
    const completed = this.store.complete(jobId, clean(entry));
    return { announce: () => this.written.next(completed) };
  }

  async recent(filter: JournalFilterDto, limit: number, offset: number): Promise<JournalPageDto> {
    const entries: JournalEntry[] = [];
    let total = 0;
    const oldest: JournalPosition = { time: filter.since ?? '', id: 0 };
    let from: JournalPosition = { time: filter.until ?? '~', id: 0 };
    for (;;) {
      const end = this.store.endOfSlice(from, SLICE);
      const isLast = end === undefined || end.time < oldest.time;
      const to = isLast ? oldest : end;
      const wanted = limit - entries.length;
      const skipped = Math.max(0, offset - total);
      const found =
        wanted > 0 && skipped < SLICE ? this.store.entries(filter, [from, to], [wanted, skipped]) : [];
      entries.push(...found);
      // A page that is not full ends the range, so that nothing is left to count.
      const isCounted = found.length > 0 && found.length < wanted;
      const matching = isCounted ? skipped + found.length : this.store.count(filter, from, to);
      total += matching;
      if (isLast) break;
      from = to;
      await nextTurn();
    }
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

function clean(entry: NewJournalEntry): Omit<JournalEntry, 'id'> {
  const { actor = currentActor() } = entry;
  return {
    time: new Date().toISOString(),
    kind: entry.kind,
    cluster: entry.cluster ?? null,
    runtime: entry.runtime ?? null,
    subject: entry.subject ?? null,
    outcome: entry.outcome ?? 'succeeded',
    message: redact(entry.message).slice(0, MAX_MESSAGE),
    job_id: entry.job_id ?? null,
    duration_ms: entry.duration_ms ?? null,
    actor: actor && storedActor(actor),
  };
}

function storedActor({ kind, user, id, name = null, address }: Actor): JournalActorDto {
  const shortened = kind === 'session' && id !== null ? shortId(id) : id;
  return { kind, user, id: shortened, name: name === null ? null : redact(name), address };
}
