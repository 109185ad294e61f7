import type { Actor } from '../../core/logging/index.js';

export const JOURNAL_OUTCOMES = ['started', 'succeeded', 'failed', 'cancelled', 'interrupted'] as const;
export type JournalOutcome = (typeof JOURNAL_OUTCOMES)[number];

/** The stored actor. The id of a session is shortened. */
export type JournalActor = Required<Actor>;

/** The stored part of a session's id, which still distinguishes sessions. */
export function shortId(id: string): string {
  return id.slice(0, 6);
}

/** Times are RFC 3339 in UTC. */
export interface JournalEntry {
  id: number;
  time: string;
  /** The kind of a job, or an event such as `node-stopped`. */
  kind: string;
  cluster: string | null;
  /** Engine of the cluster. Null for older entries. */
  runtime: string | null;
  /** The affected object, if it is not the cluster itself: a node, a release. */
  subject: string | null;
  outcome: JournalOutcome;
  message: string;
  job_id: number | null;
  duration_ms: number | null;
  /** Null for entries from versions that did not record it. */
  actor: JournalActor | null;
}

/** Omitted fields are null. The actor defaults to that of the current request. */
export type NewJournalEntry = Pick<JournalEntry, 'kind' | 'outcome' | 'message'> &
  Partial<Pick<JournalEntry, 'cluster' | 'runtime' | 'subject' | 'job_id' | 'duration_ms'>> & {
    actor?: Actor | null;
  };

export interface JournalFilter {
  cluster?: string;
  /** Also matches entries without an engine. */
  runtime?: string;
  /** A kind, or its part before a hyphen: `addon` for `addon-install` and `addon-upgrade`. */
  kind?: string;
  outcome?: JournalOutcome;
  /** Part of the message, case-insensitive. */
  text?: string;
  /** A user, an address, the id of a session or access token, the name of an access token, or a kind of actor. */
  actor?: string;
  /** Inclusive. RFC 3339 in UTC with milliseconds, like the times of entries. */
  since?: string;
  /** Exclusive, in the same format. */
  until?: string;
}
