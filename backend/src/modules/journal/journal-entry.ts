import type { Actor } from '../../core/logging/index.js';
import type { JournalEntryDto } from './journal.dto.js';

/** The stored part of a session's id, which still distinguishes sessions. */
export function shortId(id: string): string {
  return id.slice(0, 6);
}

/** Times are RFC 3339 in UTC. */
export type JournalEntry = JournalEntryDto;

/** Omitted fields are null. The actor defaults to that of the current request. */
export type NewJournalEntry = Pick<JournalEntry, 'kind' | 'outcome' | 'message'> &
  Partial<Pick<JournalEntry, 'cluster' | 'runtime' | 'subject' | 'job_id' | 'duration_ms'>> & {
    actor?: Actor | null;
  };
