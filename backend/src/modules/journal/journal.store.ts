import { Injectable } from '@nestjs/common';
import type { Actor } from '../../core/logging/index.js';
import { Database } from '../../core/storage/index.js';
import type { JournalDiff } from './journal-diff.js';
import type { JournalEntry } from './journal-entry.js';
import type { JournalFilterDto, JournalListEntryDto } from './journal.dto.js';

const COLUMNS =
  'id, time, kind, cluster, runtime, subject, outcome, message, job_id, duration_ms, actor_kind, actor_user, actor_id, actor_name, actor_address';

/** Of a group, counted with its first entry. */
const LIST_COLUMNS = `${COLUMNS},
  1 + (SELECT count(*) FROM journal AS member WHERE member.group_id = journal.id) AS group_size,
  (outcome = 'failed') + (SELECT count(*) FROM journal AS member WHERE member.group_id = journal.id AND member.outcome = 'failed')
    AS group_failed,
  EXISTS (SELECT 1 FROM journal_diffs WHERE entry_id = journal.id) AS has_diff`;

type NewEntry = Omit<JournalEntry, 'id'>;

export type JournalFilter = JournalFilterDto & {
  /** Only the entries of this group, given by its first entry. */
  group?: number;
  /** Of each group only the first entry, if that one matches. */
  grouped?: boolean;
};

type Row<TEntry extends JournalEntry> = Omit<TEntry, 'actor'> & ActorColumns;

type ListRow = Omit<Row<JournalListEntryDto>, 'has_diff'> & { has_diff: number };

interface ActorColumns {
  actor_kind: Actor['kind'] | null;
  actor_user: string;
  actor_id: string | null;
  actor_name: string | null;
  actor_address: string | null;
}

export interface JournalPosition {
  time: string;
  id: number;
}

/** Triggers in the database reject changes of ended entries. */
@Injectable()
export class JournalStore {
  constructor(private readonly database: Database) {}

  /** @param groupId first entry of its group; null for that entry, and for entries without a group */
  insert(entry: NewEntry, groupId: number | null = null, diff?: JournalDiff): JournalEntry {
    return this.database.transaction(() => this.insertRows(entry, groupId, diff));
  }

  private insertRows(entry: NewEntry, groupId: number | null, diff: JournalDiff | undefined): JournalEntry {
    const { actor, ...row } = entry;
    const { id } = this.database.insert('journal', {
      ...row,
      group_id: groupId,
      actor_kind: actor?.kind ?? null,
      actor_user: actor?.user ?? null,
      actor_id: actor?.id ?? null,
      actor_name: actor?.name ?? null,
      actor_address: actor?.address ?? null,
    });
    if (diff) {
      this.database.insert('journal_diffs', { entry_id: id, ...diff, truncated: Number(diff.truncated) });
    }
    return { id, ...entry };
  }

  /** Completes the entry of a job, or inserts a new one. */
  complete(jobId: number, entry: NewEntry): JournalEntry {
    const started = this.database.get<{ id: number }>(
      `SELECT id FROM journal WHERE job_id = ? AND outcome = 'started' ORDER BY id DESC LIMIT 1`,
      jobId,
    );
    if (!started) return this.insert(entry);
    this.database.run(
      'UPDATE journal SET time = ?, outcome = ?, message = ?, subject = ?, duration_ms = ? WHERE id = ?',
      entry.time,
      entry.outcome,
      entry.message,
      entry.subject,
      entry.duration_ms,
      started.id,
    );
    return { id: started.id, ...entry };
  }

  /** The newest entry of a cluster that is of none of these kinds. */
  newestOf(cluster: string, runtime: string, without: readonly string[]): JournalEntry | undefined {
    const row = this.database.get<Row<JournalEntry>>(
      `SELECT ${COLUMNS} FROM journal WHERE cluster = ? AND (runtime = ? OR runtime IS NULL)
       AND kind NOT IN (${without.map(() => '?').join()}) ORDER BY id DESC LIMIT 1`,
      ...[cluster, runtime, ...without],
    );
    return row && fromRow(row);
  }

  /** The position `size` entries before `from`, by time; undefined if fewer are left. */
  endOfSlice(from: JournalPosition, size: number): JournalPosition | undefined {
    return this.database.get<JournalPosition>(
      'SELECT time, id FROM journal WHERE (time, id) < (?, ?) ORDER BY time DESC, id DESC LIMIT 1 OFFSET ?',
      from.time,
      from.id,
      size - 1,
    );
  }

  /** The number of matching entries from `to` (inclusive) to `from` (exclusive). */
  count(filter: JournalFilter, from: JournalPosition, to: JournalPosition): number {
    const { where, parameters } = whereOf(filter);
    return (
      this.database.get<{ total: number }>(
        `SELECT count(*) AS total FROM journal WHERE (time, id) < (?, ?) AND (time, id) >= (?, ?) AND ${where}`,
        ...[from.time, from.id, to.time, to.id, ...parameters],
      )?.total ?? 0
    );
  }

  /** Matching entries in the same range, newest first. */
  entries(
    filter: JournalFilter,
    [from, to]: [JournalPosition, JournalPosition],
    [limit, offset]: [number, number],
  ): JournalListEntryDto[] {
    const { where, parameters } = whereOf(filter);
    return this.database
      .all<ListRow>(
        `SELECT ${LIST_COLUMNS} FROM journal WHERE (time, id) < (?, ?) AND (time, id) >= (?, ?) AND ${where}
         ORDER BY time DESC, id DESC LIMIT ? OFFSET ?`,
        ...[from.time, from.id, to.time, to.id, ...parameters, limit, offset],
      )
      .map(fromListRow);
  }

  entry(id: number): JournalListEntryDto | undefined {
    const row = this.database.get<ListRow>(`SELECT ${LIST_COLUMNS} FROM journal WHERE id = ?`, id);
    return row && fromListRow(row);
  }

  diffOf(id: number): JournalDiff | null {
    const row = this.database.get<Omit<JournalDiff, 'truncated'> & { truncated: number }>(
      'SELECT before, after, first_line, truncated FROM journal_diffs WHERE entry_id = ?',
      id,
    );
    return row ? { ...row, truncated: row.truncated === 1 } : null;
  }

  /** Ids of the entries that exist, up to the last one that ever did. */
  ids(): { first: number; last: number } {
    const found = this.database.get<{ first: number | null; last: number | null }>(
      `SELECT (SELECT min(id) FROM journal) AS first, (SELECT seq FROM sqlite_sequence WHERE name = 'journal') AS last`,
    );
    const last = found?.last ?? 0;
    return { first: found?.first ?? last + 1, last };
  }

  /** Matching entries in the order in which they started. */
  byId(filter: JournalFilterDto, first: number, last: number): JournalEntry[] {
    const { where, parameters } = whereOf(filter);
    return this.database
      .all<Row<JournalEntry>>(
        `SELECT ${COLUMNS} FROM journal WHERE id BETWEEN ? AND ? AND ${where} ORDER BY id`,
        ...[first, last, ...parameters],
      )
      .map(fromRow);
  }

  newestTime(): string | undefined {
    return (
      this.database.get<{ time: string | null }>('SELECT max(time) AS time FROM journal')?.time ?? undefined
    );
  }

  /**
   * Deletes the oldest entries: those before a time, and those beyond a number. Entries cannot be deleted otherwise.
   * @param most maximum number of each
   * @returns how many were deleted
   */
  deleteOldest({ before, kept, most }: { before: string; kept: number; most: number }): number {
    return this.database.transaction(() => {
      const beyond = this.ids().last - kept;
      const ids = this.database.all<{ id: number }>(
        `SELECT id FROM (SELECT id FROM journal WHERE time < ? ORDER BY time LIMIT ?)
         UNION SELECT id FROM (SELECT id FROM journal WHERE id <= ? ORDER BY id LIMIT ?)`,
        ...[before, most, beyond, most],
      );
      const through = ids.reduce((highest, { id }) => Math.max(highest, id), 0);
      this.database.run('UPDATE journal_retention SET through = max(through, ?)', through);
      for (const { id } of ids) this.database.run('DELETE FROM journal WHERE id = ?', id);
      return ids.length;
    });
  }
}

function fromRow<TRow extends ActorColumns>(
  row: TRow,
): Omit<TRow, keyof ActorColumns> & Pick<JournalEntry, 'actor'> {
  const { actor_kind: kind, actor_user: user, actor_id: id, actor_name: name, actor_address, ...entry } = row;
  return { ...entry, actor: kind && { kind, user, id, name, address: actor_address } };
}

function fromListRow(row: ListRow): JournalListEntryDto {
  return { ...fromRow(row), has_diff: row.has_diff === 1 };
}

/** The SQL condition of a filter, with its parameters. */
function whereOf({ grouped = false, ...filter }: JournalFilter): {
  where: string;
  parameters: (string | number)[];
} {
  const conditions = ['TRUE'];
  const parameters: (string | number)[] = [];
  const add = (condition: string, value: string | number): void => {
    conditions.push(condition);
    for (let marks = condition.split('?').length - 1; marks > 0; marks -= 1) parameters.push(value);
  };
  if (filter.cluster !== undefined) add('cluster = ?', filter.cluster);
  if (filter.outcome !== undefined) add('outcome = ?', filter.outcome);
  // `addon` also matches `addon-install`, `addon-upgrade` and so on.
  if (filter.kind !== undefined) add("(kind = ? OR substr(kind, 1, length(?) + 1) = ? || '-')", filter.kind);
  if (filter.runtime !== undefined) add('(runtime = ? OR runtime IS NULL)', filter.runtime);
  // LIKE would treat characters of the text as wildcards.
  if (filter.text !== undefined) add('instr(lower(message), lower(?)) > 0', filter.text);
  if (filter.actor !== undefined) {
    add('? IN (actor_user, actor_id, actor_name, actor_address, actor_kind)', filter.actor);
  }
  if (filter.group !== undefined) add('? IN (id, group_id)', filter.group);
  if (filter.since !== undefined) add('time >= ?', filter.since);
  if (filter.until !== undefined) add('time < ?', filter.until);
  const where = conditions.join(' AND ');
  if (!grouped) return { where, parameters };
  // The columns of the inner condition are those of the first entry.
  const hidden = `EXISTS (SELECT 1 FROM journal AS head WHERE head.id = journal.group_id AND ${where})`;
  return {
    where: `${where} AND (group_id IS NULL OR NOT ${hidden})`,
    parameters: [...parameters, ...parameters],
  };
}
