import type { WireLine } from '../log-lines/index.js';
import type { LogSourceDto, LogStoreHealth } from '../log-sources/index.js';
import type { AlertFiringDto } from '../log-alerts/index.js';

/** Increased on incompatible message changes. */
export const SOCKET_VERSION = 1;

/** Messages from the server. docs/log-board-socket.md describes each. */
export type ServerMessage =
  | { type: 'hello'; version: typeof SOCKET_VERSION; session: { id: string; expires_at: string } }
  | { type: 'pong' }
  | { type: 'session_ending'; expires_at: string; in_seconds: number }
  /**
   * All sources after `watch_sources`, then changes, at most four times a second. `gone` lists ids without stored lines.
   * Many sources are split into several messages: all but the last have `more`, and only the first of a full list has
   * `whole`.
   */
  | { type: 'sources'; whole: boolean; sources: LogSourceDto[]; gone: number[]; more?: true }
  /**
   * Response to `subscribe`: lines start at this sequence number. `run` identifies the time since the store was opened.
   * Lines that the client has from `from` on were lost in a crash, and their numbers are used again.
   */
  | { type: 'subscribed'; source: number; from: number; run: number }
  /** At most 500 lines of one source, in order. Gaps are always reported by `skipped`. */
  | { type: 'lines'; source: number; lines: WireLine[] }
  /** The client was too slow for these lines. They are in the store. `to` is the last one. */
  | { type: 'skipped'; source: number; from: number; to: number; count: number }
  | { type: 'alert'; alert: AlertFiringDto }
  /** Number of firing alerts: after `hello` unless it is 0, and when it changes. */
  | { type: 'alerts_firing'; count: number }
  /** After `hello` when it is known, and on each change. */
  | ({ type: 'log_store' } & LogStoreHealth)
  | { type: 'error'; code: string; message: string; source?: number };

export type ClientMessage =
  | { type: 'ping' }
  | { type: 'watch_sources' }
  | { type: 'unwatch_sources' }
  /**
   * `after`: the last sequence number that the client has; lines follow without a gap. `run`: the run it came from.
   * `tail`: the number of stored lines to start with (at most 5,000). Without both: only new lines.
   */
  | { type: 'subscribe'; source: number; after?: number; run?: number; tail?: number }
  | { type: 'unsubscribe'; source: number }
  /** How far the client has read. For a client that never sends it, only the socket's buffer limits the flow. */
  | { type: 'ack'; source: number; seq: number };
