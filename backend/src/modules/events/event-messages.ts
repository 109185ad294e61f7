import type { ClusterDto } from '../clusters/index.js';
import type { JobDto, JobLogLineDto } from '../jobs/index.js';
import type { JournalEntryDto } from '../journal/index.js';
import type { ProblemDto } from '../problems/index.js';
import type { OverviewFrame, TableFrame } from '../resources/index.js';
import type { StatsDto } from '../stats/index.js';

/** Topics of a subscription. `job:12` is the log of one job. */
export const TOPICS = ['clusters', 'jobs', 'journal', 'stats', 'problems'] as const;

/**
 * Contents of a cluster: `overview:docker/staging`, `overview:docker/staging/shop,web` with the objects of some
 * namespaces only, or `resources:docker/staging/apps/v1/deployments`. The core group is written `core`.
 */
export type ResourceTopic = `overview:${string}` | `resources:${string}`;
export type Topic = (typeof TOPICS)[number] | `job:${number}` | ResourceTopic;

export type ClientMessage =
  /** `after` has positions of tables, by topic. */
  | { type: 'subscribe'; topics: Topic[]; after?: Record<string, string> }
  | { type: 'unsubscribe'; topics: Topic[] }
  | { type: 'ping' };

/**
 * Messages from the server. They have whole records, so a client that missed one catches up with the next. Only
 * tables are sent as changes, after the position of a page that the client has read. Without one, or if the changes after
 * it are no longer known, the client gets `reset` and has to read the table.
 */
export type ServerMessage =
  | { type: 'hello'; version: 1 }
  | { type: 'clusters'; clusters: ClusterDto[] }
  | { type: 'job'; job: JobDto }
  | { type: 'job_log'; job_id: number; lines: JobLogLineDto[] }
  | { type: 'journal'; entry: JournalEntryDto }
  | { type: 'stats'; stats: StatsDto }
  | { type: 'problems'; problems: ProblemDto[] }
  | ({ type: 'overview'; topic: ResourceTopic; cluster: string; runtime: string } & OverviewFrame)
  | ({ type: 'resources'; topic: ResourceTopic } & TableFrame)
  | { type: 'error'; message: string }
  | { type: 'pong' };
