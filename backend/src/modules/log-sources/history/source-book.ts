import type { SourceIdentity } from '../../../drivers/log-store/index.js';
import type { BlockStore } from './block.store.js';
import { forgottenNote, identityNote, takeNotes } from './notes.js';
import type { Opening } from './openings.js';
import type { Floor, OpenedSource } from './owner-messages.js';

/**
 * Who the sources are, and from which line on each of them is kept. What is asked for holds at once; the database
 * follows when the disk lets it, and what it has not got yet is not forgotten.
 */
export class SourceBook {
  private readonly known = new Map<number, OpenedSource>();
  /** In the order in which they were changed first: one that is gone leaves its key to a later one. */
  private readonly unsaved = new Set<number>();
  /** Those of which lines are gone that no note tells yet; and whether the note has to tell who it is. */
  private readonly unnoted = new Map<number, boolean>();
  /** Those that the database did not know. */
  private readonly unknown = new Set<number>();
  private unsavedOpenings: readonly Opening[] | undefined;

  /** @param leaveNote has a note written where it is found without the database. */
  constructor(
    private readonly store: BlockStore,
    private readonly leaveNote: (note: Buffer) => void,
  ) {
    for (const source of store.sources()) this.known.set(source.id, source);
  }

  all(): OpenedSource[] {
    return [...this.known.values()];
  }

  /** A note of who a source is; undefined for one that is not known. */
  identityNote(id: number): Buffer | undefined {
    const source = this.known.get(id);
    return source && identityNote(id, source.identity);
  }

  isWanted(id: number, endSeq: number): boolean {
    return endSeq > this.firstSeq(id);
  }

  /** Lines of a source before this one are not wanted; none at all of one that is not known. */
  firstSeq(id: number): number {
    return this.known.get(id)?.firstSeq ?? Infinity;
  }

  /** Also of one that is known, which has another name since. */
  add(id: number, identity: SourceIdentity): void {
    this.known.set(id, { firstSeq: 1, nextSeq: 1, lastTime: 0, ...this.known.get(id), id, identity });
    this.unsaved.add(id);
  }

  forget({ source: id, firstSeq, nextSeq, lastTime }: Floor, forGood: boolean): void {
    const source = this.known.get(id);
    if (!source) return;
    Object.assign(source, { firstSeq, nextSeq, lastTime });
    this.unsaved.add(id);
    // A segment names those whose lines it has; of one without a line, the note alone tells the next number.
    this.unnoted.set(id, forGood || firstSeq === nextSeq);
  }

  remove(id: number): void {
    this.known.delete(id);
    this.unsaved.add(id);
  }

  open(openings: readonly Opening[]): void {
    this.unsavedOpenings = openings;
  }

  /** What segments say themselves, where the database does not know it, or was lost. */
  takeNotes(bytes: Buffer): void {
    for (const id of takeNotes(bytes, this.known, this.unknown)) this.unsaved.add(id);
  }

  /** Lets go of who has left its key to another: its removal was lost, that nothing was left of it before was not. */
  dropReplaced(): void {
    const newest = new Map<string, number>();
    for (const { id, identity } of this.known.values()) {
      newest.set(identity.key, Math.max(newest.get(identity.key) ?? 0, id));
    }
    for (const { id, identity } of this.all()) if (newest.get(identity.key) !== id) this.remove(id);
  }

  get isSaved(): boolean {
    return this.unsaved.size === 0 && this.unnoted.size === 0 && this.unsavedOpenings === undefined;
  }

  /** Brings the database up to date. @throws Error where it does not let itself; the rest is to be saved again. */
  save(): void {
    if (this.unsavedOpenings) this.store.saveOpenings(this.unsavedOpenings);
    this.unsavedOpenings = undefined;
    this.store.transaction(() => {
      for (const id of this.unsaved) {
        const source = this.known.get(id);
        if (source) {
          this.store.saveSource(source);
          this.store.dropBefore(id, source.firstSeq);
        } else this.store.removeSource(id);
      }
    });
    this.unsaved.clear();
    for (const [id, isNamed] of this.unnoted) {
      const source = this.known.get(id);
      // A database that is lost, or whose last commits are, must not bring back what is gone.
      const names = source && isNamed ? [identityNote(id, source.identity)] : [];
      if (source) this.leaveNote(Buffer.concat([...names, forgottenNote(source)]));
      this.unnoted.delete(id);
    }
  }
}
