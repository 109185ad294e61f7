import { Injectable } from '@nestjs/common';
import { Database } from '../../core/storage/index.js';
import type { JournalEntry, JournalFilter, NewJournalEntry } from './journal-entry.js';

/** Entries that are kept; older ones go. At a busy hundred a day this is over half a year. */
export const JOURNAL_LIMIT = 20_000;

const COLUMNS = 'id, time, kind, cluster, runtime, subject, outcome, message, job_id, duration_ms';

/** The journal's table: the only SQL about it. */
@Injectable()
export class JournalStore {
  constructor(private readonly database: Database) {}

  insert(entry: NewJournalEntry, time: string): JournalEntry {
    const { id } = this.database.run(
      `INSERT INTO journal (time, kind, cluster, runtime, subject, outcome, message, job_id, duration_ms) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      time,
      entry.kind,
      entry.cluster,
      entry.runtime,
      entry.subject,
      entry.outcome,
      entry.message,
      entry.job_id,
      entry.duration_ms,
    );
    if (id % 100 === 0) this.database.run('DELETE FROM journal WHERE id <= ?', id - JOURNAL_LIMIT);
    return { id, time, ...entry };
  }

  /** Completes the entry that a job began, or writes one where it has none. */
  complete(jobId: number, entry: NewJournalEntry, time: string): JournalEntry {
    const begun = this.database.get<{ id: number }>(
      `SELECT id FROM journal WHERE job_id = ? AND outcome = 'started' ORDER BY id DESC LIMIT 1`,
      jobId,
    );
    if (!begun) return this.insert(entry, time);
    this.database.run(
      'UPDATE journal SET time = ?, outcome = ?, message = ?, subject = ?, duration_ms = ? WHERE id = ?',
      time,
      entry.outcome,
      entry.message,
      entry.subject,
      entry.duration_ms,
      begun.id,
    );
    return { id: begun.id, time, ...entry };
  }

  page(filter: JournalFilter, limit: number, offset: number): { entries: JournalEntry[]; total: number } {
    const conditions: string[] = [];
    const parameters: string[] = [];
    for (const column of ['cluster', 'outcome'] as const) {
      const value = filter[column];
      if (value === undefined) continue;
      conditions.push(`${column} = ?`);
      parameters.push(value);
    }
    if (filter.kind !== undefined) {
      // `addon` are all that are called so, and `addon-install`, `addon-upgrade` and the like.
      conditions.push("(kind = ? OR substr(kind, 1, length(?) + 1) = ? || '-')");
      parameters.push(filter.kind, filter.kind, filter.kind);
    }
    if (filter.runtime !== undefined) {
      conditions.push('(runtime = ? OR runtime IS NULL)');
      parameters.push(filter.runtime);
    }
    if (filter.text !== undefined) {
      // Not LIKE: its wildcards would be the user's characters.
      conditions.push('instr(lower(message), lower(?)) > 0');
      parameters.push(filter.text);
    }
    const where = conditions.length > 0 ? `WHERE ${conditions.join(' AND ')}` : '';
    const counted = this.database.get<{ total: number }>(
      `SELECT count(*) AS total FROM journal ${where}`,
      ...parameters,
    );
    const entries = this.database.all<JournalEntry>(
      `SELECT ${COLUMNS} FROM journal ${where} ORDER BY time DESC, id DESC LIMIT ? OFFSET ?`,
      ...parameters,
      limit,
      offset,
    );
    return { entries: entries.map((entry) => ({ ...entry })), total: counted?.total ?? 0 };
  }
}
