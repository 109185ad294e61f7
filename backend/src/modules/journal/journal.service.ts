import { setImmediate as nextTurn } from 'node:timers/promises';
import { Injectable, Optional, type OnApplicationShutdown } from '@nestjs/common';
import { Subject, type Observable } from 'rxjs';
import { DomainError, guarded, storageFailure } from '../../core/errors/index.js';
import {
  AppLogger,
  currentActor,
  currentJournalGroups,
  redact,
  type Actor,
} from '../../core/logging/index.js';
import { journalDiff, type JournalDiff } from './journal-diff.js';
import { shortId, type JournalEntry, type NewJournalEntry } from './journal-entry.js';
import { JournalStore, type JournalFilter, type JournalPosition } from './journal.store.js';
import type {
  JournalActorDto,
  JournalEntryWithDiffDto,
  JournalListEntryDto,
  JournalPageDto,
} from './journal.dto.js';

/** Entries that are scanned at once. It takes about 5 ms, after which other requests are served. */
const SLICE = 20_000;
const MAX_MESSAGE = 2000;
/** Interval of attempts to write entries that could not be written. */
const RETRY_MS = 1000;
/** Entries that wait for the database. Further ones are lost, with a message in the log. */
const MAX_WAITING = 10_000;

/** Records what happened and who did it: one entry per operation, and per event outside Slipway. */
@Injectable()
export class JournalService implements OnApplicationShutdown {
  private readonly written = new Subject<JournalEntry>();
  private readonly waiting: WaitingEntry[] = [];
  private retry: NodeJS.Timeout | undefined;

  constructor(
    private readonly store: JournalStore,
    @Optional() private readonly logger?: AppLogger,
  ) {}

  onApplicationShutdown(): void {
    this.writeWaiting();
    clearTimeout(this.retry);
  }

  /** Every entry, after it is written or completed. */
  get changes(): Observable<JournalEntry> {
    return this.written.asObservable();
  }

  /** Call it before what it records. @throws Error if the entry cannot be written */
  record(entry: NewJournalEntry): void {
    this.insert(waitingOf(entry));
  }

  /**
   * Records what has happened already, or what a timer or an event reports. Does not throw: while the entry cannot be
   * written, such as on a full disk, it waits with its time and actor.
   */
  recordEventually(entry: NewJournalEntry): void {
    if (this.waiting.length < MAX_WAITING) this.waiting.push(waitingOf(entry));
    else this.logger?.warning(`Lost a journal entry: ${entry.message}`);
    if (this.retry === undefined) this.writeWaiting();
  }

  /**
   * Completes the entry of a job and keeps its actor. Part of the caller's transaction; call `announce` after its
   * commit.
   */
  complete(jobId: number, entry: NewJournalEntry): { announce: () => void } {
    const completed = this.store.complete(jobId, clean(entry));
    return { announce: () => this.written.next(completed) };
  }

  /** @throws DomainError `journal_entry_not_found` */
  entry(id: number): JournalEntryWithDiffDto {
    const entry = this.store.entry(id);
    if (entry) return { ...entry, diff: this.store.diffOf(id) };
    throw new DomainError(
      'journal_entry_not_found',
      `Journal entry ${id} does not exist. Slipway deletes the oldest entries.`,
    );
  }

  private insert({ entry, groups, diff }: WaitingEntry): void {
    const { kind, runtime, cluster, subject } = entry;
    // A batch may have several clusters, and objects of several kinds.
    const common = [kind, runtime, cluster, subject?.split('/', 1)[0]].join(' ');
    const groupId = groups?.get(common) ?? null;
    const written = this.store.insert(entry, groupId, diff);
    if (groupId === null) groups?.set(common, written.id);
    this.written.next(written);
  }

  private writeWaiting(): void {
    this.retry = undefined;
    for (let waiting = this.waiting[0]; waiting; waiting = this.waiting[0]) {
      try {
        this.insert(waiting);
      } catch (error) {
        const reason = storageFailure(error);
        if (reason !== undefined) {
          this.logger?.warning(`${this.waiting.length} journal entries wait. ${reason}`);
          const again = guarded(() => this.writeWaiting(), 'write waiting journal entries');
          this.retry = setTimeout(again, RETRY_MS).unref();
          return;
        }
        this.logger?.failure(`lost a journal entry: ${waiting.entry.message}`, error);
      }
      this.waiting.shift();
    }
  }

  async recent(filter: JournalFilter, limit: number, offset: number): Promise<JournalPageDto> {
    const entries: JournalListEntryDto[] = [];
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

interface WaitingEntry {
  entry: Omit<JournalEntry, 'id'>;
  /** Of its request, which may have ended when it is written. */
  groups: ReturnType<typeof currentJournalGroups>;
  diff: JournalDiff | undefined;
}

function waitingOf(entry: NewJournalEntry): WaitingEntry {
  return {
    entry: clean(entry),
    groups: entry.grouped ? currentJournalGroups() : undefined,
    diff: entry.diff && journalDiff(entry.diff),
  };
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
