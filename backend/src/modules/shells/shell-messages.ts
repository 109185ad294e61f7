import type { ErrorCode } from '../../core/errors/index.js';

/** Text frames from the client. Binary frames are input of the terminal. */
export type ShellClientMessage =
  { type: 'resize'; columns: number; rows: number } | { type: 'ack'; bytes: number };

/** Text frames to the client. Binary frames are output of the terminal. */
export type ShellServerMessage =
  /** Text shown before the shell starts. */
  | { type: 'progress'; message: string }
  /** The shell has started. `container` is null in a node. */
  | { type: 'ready'; container: string | null }
  /** The shell has read this many bytes of input. */
  | { type: 'ack'; bytes: number }
  /** The shell has ended, with a sentence. The socket closes. */
  | { type: 'exit'; exit_code: number | null; message: string }
  /** The shell could not start, or was closed. The socket closes. `no_shell`: the image has none. */
  | { type: 'error'; code: ErrorCode; message: string; no_shell: boolean }
  | { type: 'session_ending'; expires_at: string; in_seconds: number };
