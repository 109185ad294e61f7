import type { WireLine } from '../log-lines/index.js';
import type { LogSourceDto, LogStoreHealth } from '../log-sources/index.js';
import type { AlertFiringDto } from '../log-alerts/index.js';

/** Raised whenever a message changes so that a client of before would misread it. */
export const SOCKET_VERSION = 1;

/** What the log board's socket sends; docs/log-board-socket.md describes each. */
export type ServerMessage =
  | { type: 'hello'; version: typeof SOCKET_VERSION; session: { id: string; expires_at: string } }
  | { type: 'pong' }
  | { type: 'session_ending'; expires_at: string; in_seconds: number }
  /**
   * All of them after `watch_sources`, then what changed, at most four times a second; `gone` names ids whose history
   * went too. Very many come in several messages, of which each but the last one says `more`, and of all the first one
   * alone says `whole`.
   */
  | { type: 'sources'; whole: boolean; sources: LogSourceDto[]; gone: number[]; more?: true }
  /**
   * The answer to `subscribe`: lines come from this sequence number on. `run` names the time since the history was
   * opened; what a client has from `from` on was lost with the process that told it, and is told anew.
   */
  | { type: 'subscribed'; source: number; from: number; run: number }
  /** At most 500 of one source, in order, without a gap that no `skipped` tells. */
  | { type: 'lines'; source: number; lines: WireLine[] }
  /** The reader was too slow for these; all of them are in history. `to` is the last one. */
  | { type: 'skipped'; source: number; from: number; to: number; count: number }
  | { type: 'alert'; alert: AlertFiringDto }
  /** How many alerts fire now: after `hello` where any does, and whenever it is another number. */
  | { type: 'alerts_firing'; count: number }
  /** After `hello` as soon as it is known, and on each change. */
  | ({ type: 'log_store' } & LogStoreHealth)
  | { type: 'error'; code: string; message: string; source?: number };

/** From client to server. */
export type ClientMessage =
  | { type: 'ping' }
  | { type: 'watch_sources' }
  | { type: 'unwatch_sources' }
  /**
   * `after`: the last sequence number that the client has; lines follow without a gap. `run`: the one that told it.
   * `tail`: begin with so many of the newest (at most 5,000). Neither: only what comes from now on.
   */
  | { type: 'subscribe'; source: number; after?: number; run?: number; tail?: number }
  | { type: 'unsubscribe'; source: number }
  /** How far the client has read. One that never sends it is paced by its socket's buffer alone. */
  | { type: 'ack'; source: number; seq: number };
