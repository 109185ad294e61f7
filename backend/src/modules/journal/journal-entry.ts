import type { Actor } from '../../core/logging/index.js';

/** How an operation stands, or ended. */
export const JOURNAL_OUTCOMES = ['started', 'succeeded', 'failed', 'cancelled', 'interrupted'] as const;
export type JournalOutcome = (typeof JOURNAL_OUTCOMES)[number];

/** Who did it, as it is kept: the id of a session is shortened. */
export type JournalActor = Required<Actor>;

/** What is kept of a session's id: enough to tell sessions apart. */
export function shortId(id: string): string {
  return id.slice(0, 6);
}

/** One thing that happened, told in a sentence. Times are RFC 3339 in UTC. */
export interface JournalEntry {
  id: number;
  time: string;
  /** What was done: a job's kind, or an event such as `node-stopped`. */
  kind: string;
  cluster: string | null;
  /** Engine of the cluster: two may hold one name. Null where an older entry does not tell. */
  runtime: string | null;
  /** What it was done to, where that is not the cluster itself: a node, a release. */
  subject: string | null;
  outcome: JournalOutcome;
  message: string;
  job_id: number | null;
  duration_ms: number | null;
  /** Null for entries of versions that did not record it. */
  actor: JournalActor | null;
}

/** What may be left out is null, and the actor the one of the request that is being served. */
export type NewJournalEntry = Pick<JournalEntry, 'kind' | 'outcome' | 'message'> &
  Partial<Pick<JournalEntry, 'cluster' | 'runtime' | 'subject' | 'job_id' | 'duration_ms'>> & {
    actor?: Actor | null;
  };

export interface JournalFilter {
  cluster?: string;
  /** Entries of this engine, and those that do not tell. */
  runtime?: string;
  /** A kind, or what several begin with before a hyphen: `addon` for `addon-install` and `addon-upgrade`. */
  kind?: string;
  outcome?: JournalOutcome;
  /** Part of the message, whatever its case. */
  text?: string;
  /** A user, an address, the id of a session or access token, the name of an access token, or a kind of actor. */
  actor?: string;
  /** From this time on: RFC 3339 in UTC with milliseconds, as entries have it. */
  since?: string;
  /** Before this time, in the same form. */
  until?: string;
}
