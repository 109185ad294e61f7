import type { StoredLine } from './line.js';
import type { WireLine } from '../socket-messages.js';

const STREAMS = { stdout: 1, stderr: 2 } as const;

export const CONTINUES = 1;
export const CUT = 2;
export const SHORTENED = 4;

/** A line as the socket has it. */
export function wireLine({
  seq,
  time,
  stream,
  level,
  text,
  cut,
  continues,
  shortened,
}: StoredLine): WireLine {
  const flags = (continues ? CONTINUES : 0) | (cut > 0 ? CUT : 0) | (shortened ? SHORTENED : 0);
  return [seq, time, stream === null ? 0 : STREAMS[stream], level, text, flags];
}
