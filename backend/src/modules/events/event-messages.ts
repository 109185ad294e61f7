import type { ClusterDto } from '../clusters/index.js';
import type { JobDto, JobLogLineDto } from '../jobs/index.js';
import type { JournalEntryDto } from '../journal/index.js';
import type { StatsDto } from '../stats/index.js';

/** What a client may ask to be told of. `job:12` is the log of one job. */
export const TOPICS = ['clusters', 'jobs', 'journal', 'stats'] as const;
export type Topic = (typeof TOPICS)[number] | `job:${number}`;

/** From client to server. */
export type ClientMessage = { type: 'subscribe' | 'unsubscribe'; topics: Topic[] } | { type: 'ping' };

/** From server to client. Whole records, never differences: a client that missed one is right again with the next. */
export type ServerMessage =
  | { type: 'hello'; version: 1 }
  | { type: 'clusters'; clusters: ClusterDto[] }
  | { type: 'job'; job: JobDto }
  | { type: 'job_log'; job_id: number; lines: JobLogLineDto[] }
  | { type: 'journal'; entry: JournalEntryDto }
  | { type: 'stats'; stats: StatsDto }
  | { type: 'error'; message: string }
  | { type: 'pong' };
