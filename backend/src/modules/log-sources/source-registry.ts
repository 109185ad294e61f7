import { Injectable } from '@nestjs/common';
import { Subject } from 'rxjs';
import { DomainError } from '../../core/errors/index.js';
import { timeText } from '../../core/values/index.js';
import type { LogStore, SourceIdentity } from '../../drivers/log-store/index.js';
import type { SourceState } from './source-state.js';
import type { LogSourceDto } from './log-source.dto.js';
import { SourceEntry } from './source-entry.js';
import { SourceSettingsStore } from './source-settings.store.js';

/** How far lines of a source may be out of order, in microseconds. */
export const DISORDER_US = 1_000_000;

/**
 * All present sources, and deleted ones with stored lines. The watches report their states; the registry knows which
 * ones are excluded.
 */
@Injectable()
export class SourceRegistry {
  private readonly byId = new Map<number, SourceEntry>();
  private readonly byKey = new Map<string, SourceEntry>();
  private readonly excluded: Set<string>;
  private readonly deletions: Map<string, number>;
  private store: LogStore | undefined;

  /** Ids of sources that changed or were removed. */
  readonly changes = new Subject<number>();
  /** Sources that were excluded or included. */
  readonly intakeChanges = new Subject<SourceEntry>();

  constructor(private readonly settings: SourceSettingsStore) {
    this.excluded = new Set(settings.excluded());
    this.deletions = new Map(settings.deletions());
  }

  /** Loads the stored sources. Each is `gone` until a watch finds it. */
  open(store: LogStore): void {
    this.store = store;
    for (const { id, identity } of store.sources()) this.add(new SourceEntry(id, identity));
  }

  /** Returns the source with this key. Adds it if it is new, and updates it if its name has changed. */
  ensure(identity: SourceIdentity): SourceEntry {
    const known = this.byKey.get(identity.key);
    if (known && this.isSameInStore(known, identity)) {
      const isChanged = !isSame(known.identity, identity);
      if (isChanged) known.identity = identity;
      if (known.state === 'gone') this.setState(known, 'waiting');
      if (isChanged) this.changes.next(known.id);
      return known;
    }
    if (known) this.forget(known);
    const entry = new SourceEntry(this.opened.source(identity), identity);
    entry.state = 'waiting';
    this.add(entry);
    return entry;
  }

  /**
   * Tells the store that a source is present, and its name.
   * @returns false if the store has removed the source, as it does if a source is gone and empty. It gets a new id then.
   */
  private isSameInStore({ id, state, identity: before }: SourceEntry, identity: SourceIdentity): boolean {
    return (state !== 'gone' && isSame(before, identity)) || this.opened.source(identity) === id;
  }

  find(id: number): SourceEntry | undefined {
    return this.byId.get(id);
  }

  ofKey(key: string): SourceEntry | undefined {
    return this.byKey.get(key);
  }

  /** @throws DomainError `source_not_found` */
  get(id: number): SourceEntry {
    const entry = this.byId.get(id);
    if (!entry) {
      throw new DomainError(
        'source_not_found',
        `Source ${id} does not exist. It was deleted and has no stored lines.`,
      );
    }
    return entry;
  }

  all(): SourceEntry[] {
    return [...this.byId.values()];
  }

  /** Matching sources that are not gone, by key. */
  findPresent(matches: (identity: SourceIdentity) => boolean): Map<string, SourceEntry> {
    const present = new Map<string, SourceEntry>();
    for (const [key, entry] of this.byKey) {
      if (entry.state !== 'gone' && matches(entry.identity)) present.set(key, entry);
    }
    return present;
  }

  present({ id, identity, state, reason, recent }: SourceEntry): LogSourceDto {
    const { firstSeq = 1, nextSeq = 1, bytes = 0, firstTime, lastTime } = this.opened.extent(id) ?? {};
    return {
      ...{ id, ...identity, state, reason },
      first_seq: firstSeq,
      next_seq: nextSeq,
      bytes,
      first_time: timeOrNull(firstTime),
      last_time: timeOrNull(lastTime),
      rate: recent.countAt(Date.now()) / 10,
    };
  }

  /** Whether a line is still stored. In a new store its number may name another, later line. */
  keeps(id: number, seq: number, time: number): boolean {
    const extent = this.opened.extent(id);
    if (!extent || seq < extent.firstSeq || seq >= extent.nextSeq) return false;
    return (
      extent.lastTime !== null &&
      time <= extent.lastTime &&
      time >= (extent.firstTime ?? Infinity) - DISORDER_US
    );
  }

  /** Sets the state of a source. An excluded source stays `left_out` until it is gone. */
  setState(entry: SourceEntry, state: SourceState, reason: string | null = null): void {
    const shown = this.isExcluded(entry) && state !== 'gone' ? 'left_out' : state;
    if (entry.state === shown && entry.reason === reason) return;
    entry.state = shown;
    entry.reason = reason;
    if (shown === 'gone') this.opened.leave(entry.id);
    this.changes.next(entry.id);
  }

  count(id: number, lines: number): void {
    const recent = this.byId.get(id)?.recent;
    recent?.forgetFuture(Date.now());
    recent?.add(Date.now(), lines);
    this.changes.next(id);
  }

  isExcluded(entry: SourceEntry): boolean {
    return this.excluded.has(entry.identity.key);
  }

  /** Includes or excludes a source, also after a restart. Stored lines remain. */
  setIncluded(id: number, included: boolean): SourceEntry {
    const entry = this.get(id);
    const { key } = entry.identity;
    if (included === !this.excluded.has(key)) return entry;
    if (included) {
      this.settings.setExcluded(key, false);
      this.excluded.delete(key);
      if (entry.state === 'left_out') this.setState(entry, 'waiting');
    } else {
      this.settings.setExcluded(key, true);
      this.excluded.add(key);
      if (entry.state !== 'gone') this.setState(entry, 'left_out', 'The source is excluded.');
    }
    this.intakeChanges.next(entry);
    return entry;
  }

  /** Call it before stored lines of a source are deleted: the engine may still have them. */
  noteDeleted({ identity: { key } }: SourceEntry): void {
    const time = Date.now() * 1000;
    this.settings.setDeletedAt(key, time);
    this.deletions.set(key, time);
  }

  /**
   * When the stored lines of a source were deleted, in microseconds: older lines are not stored again. Null if they never
   * were, or if the clock was set back since, because new lines would look older.
   */
  deletedAt(key: string): number | null {
    const time = this.deletions.get(key);
    return time === undefined || time > Date.now() * 1000 ? null : time;
  }

  /** Removes an ended source and its stored lines in favor of newer ones. */
  async drop(entry: SourceEntry): Promise<void> {
    this.setState(entry, 'gone');
    this.forget(entry);
    // The store has removed it already if it had no lines.
    if (!this.opened.extent(entry.id)) return;
    try {
      await this.opened.delete(entry.id);
    } catch (error) {
      // The store retries what the disk refuses.
      if (!(error instanceof DomainError)) throw error;
    }
  }

  forgetEmpty(): void {
    for (const entry of this.byId.values()) {
      const extent = this.opened.extent(entry.id);
      const lines = extent ? extent.nextSeq - extent.firstSeq : 0;
      if (entry.state === 'gone' && lines === 0) this.forget(entry);
    }
  }

  private forget({ id, identity }: SourceEntry): void {
    this.byId.delete(id);
    this.byKey.delete(identity.key);
    this.changes.next(id);
  }

  private get opened(): LogStore {
    if (!this.store) throw new Error('the log store is not open');
    return this.store;
  }

  private add(entry: SourceEntry): void {
    this.byId.set(entry.id, entry);
    this.byKey.set(entry.identity.key, entry);
    this.changes.next(entry.id);
  }
}

function isSame(one: SourceIdentity, other: SourceIdentity): boolean {
  return (Object.keys(other) as (keyof SourceIdentity)[]).every((field) => one[field] === other[field]);
}

function timeOrNull(time: number | null | undefined): string | null {
  return time === null || time === undefined ? null : timeText(time);
}
