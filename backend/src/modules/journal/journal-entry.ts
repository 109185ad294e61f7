/** How an operation stands, or ended. */
export const JOURNAL_OUTCOMES = ['started', 'succeeded', 'failed', 'cancelled', 'interrupted'] as const;
export type JournalOutcome = (typeof JOURNAL_OUTCOMES)[number];

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
}

export type NewJournalEntry = Omit<JournalEntry, 'id' | 'time'>;

export interface JournalFilter {
  cluster?: string;
  /** Entries of this engine, and those that do not tell. */
  runtime?: string;
  /** A kind, or what several begin with before a hyphen: `addon` for `addon-install` and `addon-upgrade`. */
  kind?: string;
  outcome?: JournalOutcome;
  /** Part of the message, whatever its case. */
  text?: string;
}
