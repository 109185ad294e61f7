import { Injectable } from '@nestjs/common';
import { Subject } from 'rxjs';
import { DomainError } from '../../core/errors/index.js';
import type { LogStore, SourceIdentity } from '../../drivers/log-store/index.js';
import type { SourceState } from './source-state.js';
import type { LogSourceDto } from './log-source.dto.js';
import { presentSource } from './present-source.js';
import { SourceEntry } from './source-entry.js';
import { SourceSettingsStore } from './source-settings.store.js';

/** Lines of a source may be so much out of their order, in microseconds. */
export const DISORDER_US = 1_000_000;

/**
 * Every source that is there, and those that are gone and of which lines are kept. Who follows sources tells it how they
 * stand; it knows what was left out.
 */
@Injectable()
export class SourceRegistry {
  private readonly byId = new Map<number, SourceEntry>();
  private readonly byKey = new Map<string, SourceEntry>();
  private readonly leftOut: Set<string>;
  private readonly deletions: Map<string, number>;
  private store: LogStore | undefined;

  /** Tells ids of sources that are told otherwise than before, also of those that are no more. */
  readonly changes = new Subject<number>();
  /** Tells a source that is to be taken in again, or no longer. */
  readonly intakeChanges = new Subject<SourceEntry>();

  constructor(private readonly settings: SourceSettingsStore) {
    this.leftOut = new Set(settings.leftOut());
    this.deletions = new Map(settings.deletions());
  }

  /** Takes up what is kept: all of it is gone until somebody says that it is there. */
  open(store: LogStore): void {
    this.store = store;
    for (const { id, identity } of store.sources()) this.add(new SourceEntry(id, identity));
  }

  /** The source of an identity, made known where it is not. One that has another name by now is told by that. */
  ensure(identity: SourceIdentity): SourceEntry {
    const known = this.byKey.get(identity.key);
    if (known && this.isSameInHistory(known, identity)) {
      const isOther = !isSame(known.identity, identity);
      if (isOther) known.identity = identity;
      if (known.state === 'gone') this.setState(known, 'waiting');
      if (isOther) this.changes.next(known.id);
      return known;
    }
    if (known) this.forget(known);
    const entry = new SourceEntry(this.opened.source(identity), identity);
    entry.state = 'waiting';
    this.add(entry);
    return entry;
  }

  /**
   * Says to the history that a source is there again, and what it is called.
   * @returns false where the history has let go of it, as it does of what is gone and empty: it begins anew then
   */
  private isSameInHistory({ id, state, identity: before }: SourceEntry, identity: SourceIdentity): boolean {
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
        `There is no source ${id}: it is gone, and nothing of it is kept any more.`,
      );
    }
    return entry;
  }

  all(): SourceEntry[] {
    return [...this.byId.values()];
  }

  /** By their keys, those that fit and that were there when somebody last looked. */
  thereOf(fits: (identity: SourceIdentity) => boolean): Map<string, SourceEntry> {
    const there = new Map<string, SourceEntry>();
    for (const [key, entry] of this.byKey) {
      if (entry.state !== 'gone' && fits(entry.identity)) there.set(key, entry);
    }
    return there;
  }

  present(entry: SourceEntry): LogSourceDto {
    return presentSource(entry, this.opened.extent(entry.id), Date.now());
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

  /** Says how a source stands. One that is left out stays so until it is gone. */
  setState(entry: SourceEntry, state: SourceState, reason: string | null = null): void {
    const told = this.isLeftOut(entry) && state !== 'gone' ? 'left_out' : state;
    if (entry.state === told && entry.reason === reason) return;
    entry.state = told;
    entry.reason = reason;
    if (told === 'gone') this.opened.leave(entry.id);
    this.changes.next(entry.id);
  }

  /** Counts lines that were taken in. */
  count(id: number, lines: number): void {
    this.byId.get(id)?.meter.count(lines, Date.now());
    this.changes.next(id);
  }

  isLeftOut(entry: SourceEntry): boolean {
    return this.leftOut.has(entry.identity.key);
  }

  /** Has a source taken in or left out from now on, and after a restart too. What is kept of it stays. */
  setTakenIn(id: number, takenIn: boolean): SourceEntry {
    const entry = this.get(id);
    const { key } = entry.identity;
    if (takenIn === !this.leftOut.has(key)) return entry;
    if (takenIn) {
      this.settings.setLeftOut(key, false);
      this.leftOut.delete(key);
      if (entry.state === 'left_out') this.setState(entry, 'waiting');
    } else {
      this.settings.setLeftOut(key, true);
      this.leftOut.add(key);
      if (entry.state !== 'gone') this.setState(entry, 'left_out', 'It was left out.');
    }
    this.intakeChanges.next(entry);
    return entry;
  }

  /** To be called before what is kept of a source is deleted: its engine may hold the same lines for longer. */
  noteDeleted({ identity: { key } }: SourceEntry): void {
    const time = Date.now() * 1000;
    this.settings.setDeletedAt(key, time);
    this.deletions.set(key, time);
  }

  /**
   * When what was kept of a source was deleted, in microseconds: what was written by then is not to come back. Null where
   * nothing was, and where the clock was set back since, as what is written now would be of before.
   */
  deletedAt(key: string): number | null {
    const time = this.deletions.get(key);
    return time === undefined || time > Date.now() * 1000 ? null : time;
  }

  /** Lets go of a source that writes no more, and of all that is kept of it, in favour of newer ones. */
  async drop(entry: SourceEntry): Promise<void> {
    this.setState(entry, 'gone');
    this.forget(entry);
    // It may have been let go of there, where nothing of it was left.
    if (!this.opened.extent(entry.id)) return;
    try {
      await this.opened.delete(entry.id);
    } catch (error) {
      // What the disk refuses, the history tries again by itself, and nobody waits for it here.
      if (!(error instanceof DomainError)) throw error;
    }
  }

  /** Forgets sources that are gone and of which nothing is kept any more. */
  forgetEmpty(): void {
    for (const entry of this.byId.values()) {
      const extent = this.opened.extent(entry.id);
      const kept = extent ? extent.nextSeq - extent.firstSeq : 0;
      if (entry.state === 'gone' && kept === 0) this.forget(entry);
    }
  }

  private forget({ id, identity }: SourceEntry): void {
    this.byId.delete(id);
    this.byKey.delete(identity.key);
    this.changes.next(id);
  }

  private get opened(): LogStore {
    if (!this.store) throw new Error('the sources were asked for before the history was open');
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
