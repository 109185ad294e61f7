/** Raised whenever a message changes so that a client of before would misread it. */
export const SOCKET_VERSION = 1;

/** What the log board's socket sends; docs/log-board-socket.md describes each. */
export type ServerMessage =
  | { type: 'hello'; version: typeof SOCKET_VERSION; session: { id: string; expires_at: string } }
  | { type: 'pong' }
  | { type: 'session_ending'; expires_at: string; in_seconds: number };
