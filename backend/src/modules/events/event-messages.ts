import type { ClusterDto } from '../clusters/index.js';
import type { JobDto, JobLogLineDto } from '../jobs/index.js';
import type { JournalEntryDto } from '../journal/index.js';
import type { OverviewFrame, TableFrame } from '../resources/index.js';
import type { StatsDto } from '../stats/index.js';

/** Topics of a subscription. `job:12` is the log of one job. */
export const TOPICS = ['clusters', 'jobs', 'journal', 'stats'] as const;

/**
 * What is in a cluster: `overview:docker/staging`, and `resources:docker/staging/apps/v1/deployments`, where the core
 * group is written `core`.
 */
export type ResourceTopic = `overview:${string}` | `resources:${string}`;
export type Topic = (typeof TOPICS)[number] | `job:${number}` | ResourceTopic;

/** From client to server. */
export type ClientMessage = { type: 'subscribe' | 'unsubscribe'; topics: Topic[] } | { type: 'ping' };

/**
 * From server to client. Whole records, never differences: a client that missed one is right again with the next.
 * Rows of tables alone are told by what changed; a client that does not keep up is told the whole table again.
 */
export type ServerMessage =
  | { type: 'hello'; version: 1 }
  | { type: 'clusters'; clusters: ClusterDto[] }
  | { type: 'job'; job: JobDto }
  | { type: 'job_log'; job_id: number; lines: JobLogLineDto[] }
  | { type: 'journal'; entry: JournalEntryDto }
  | { type: 'stats'; stats: StatsDto }
  | ({ type: 'overview'; cluster: string; runtime: string } & OverviewFrame)
  | ({ type: 'resources'; topic: ResourceTopic } & TableFrame)
  | { type: 'error'; message: string }
  | { type: 'pong' };
