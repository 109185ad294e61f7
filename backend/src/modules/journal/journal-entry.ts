import type { Actor } from '../../core/logging/index.js';
import type { ChangedText } from './journal-diff.js';
import type { JournalEntryDto } from './journal.dto.js';

/** The stored part of a session's id, which still distinguishes sessions. */
export function shortId(id: string): string {
  return id.slice(0, 6);
}

/** Times are RFC 3339 in UTC. */
export type JournalEntry = JournalEntryDto;

/** The outcome defaults to `succeeded`, the actor to that of the current request, and other fields to null. */
export type NewJournalEntry = Pick<JournalEntry, 'kind' | 'message'> &
  Partial<Pick<JournalEntry, 'cluster' | 'runtime' | 'subject' | 'outcome' | 'job_id' | 'duration_ms'>> & {
    actor?: Actor | null;
    /** Whether it belongs together with the other entries of its kind that the current request records. */
    grouped?: boolean;
    /** Its change, of which the journal keeps a part without secrets. */
    diff?: ChangedText;
  };
