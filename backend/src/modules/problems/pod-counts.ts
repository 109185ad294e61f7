import type { PodCounts } from '../clusters/index.js';
import { idOf, readDuration, type PrintedRow } from '../resources/index.js';
import { cellOf, type FollowedTable } from './suspects.js';

/** More changes than this are read as a whole table. */
const MAX_CHANGES = 5000;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** `3 (12s ago)` */
const RESTARTS = /^(\d{1,9})(?: \(([0-9a-z]{1,20}) ago\))?$/;

/** Counts Pods and the restarts of their containers, from a watched table. Reads only what has changed. */
export class PodCounter {
  /** Restarts of each Pod since its creation. */
  private readonly restarts = new Map<string, number>();
  /** Restarts by the minute in which they were, for an hour. */
  private readonly minutes = new Map<number, number>();
  private position = -1;

  constructor(private readonly table: FollowedTable) {}

  /** Of restarts before the first read, only those that surely were in the last hour are counted. */
  read(now: number): PodCounts {
    const { store } = this.table;
    if (store.position !== this.position) this.readChanges(now);
    for (const minute of this.minutes.keys()) {
      if (minute <= (now - HOUR_MS) / MINUTE_MS) this.minutes.delete(minute);
    }
    const { ok, ended } = store.health;
    return {
      ready: ok,
      // As in the overview: Pods that have completed are neither ready nor missing.
      total: store.total - ended,
      restarts_last_hour: [...this.minutes.values()].reduce((sum, count) => sum + count, 0),
    };
  }

  private readChanges(now: number): void {
    const { store } = this.table;
    const changes = store.since(this.position, MAX_CHANGES);
    this.position = changes?.position ?? store.position;
    const rows = changes?.upserts ?? store.inOrder();
    for (const uid of changes?.removed ?? []) this.restarts.delete(uid);
    if (!changes) {
      const present = new Set(rows.map(({ row }) => idOf(row)));
      for (const uid of this.restarts.keys()) if (!present.has(uid)) this.restarts.delete(uid);
    }
    const cell = cellOf(this.table);
    for (const row of rows) this.note(row, cell(row.row, 'Restarts'), now);
  }

  private note({ row, printedAt }: PrintedRow, text: string, now: number): void {
    const [, digits, age] = RESTARTS.exec(text) ?? [];
    const count = Number(digits ?? 0);
    const uid = idOf(row);
    const before = this.restarts.get(uid);
    this.restarts.set(uid, count);
    const last = age === undefined ? now : printedAt - (readDuration(age) ?? 0);
    if (count === 0 || last <= now - HOUR_MS) return;
    const isNew = row.createdAt !== null && Date.parse(row.createdAt) > now - HOUR_MS;
    const added = before === undefined ? (isNew ? count : 1) : count - before;
    const minute = Math.floor(last / MINUTE_MS);
    if (added > 0) this.minutes.set(minute, (this.minutes.get(minute) ?? 0) + added);
  }
}
