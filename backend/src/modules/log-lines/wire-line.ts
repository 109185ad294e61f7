import type { Level, LogLine } from '../../drivers/log-store/index.js';

/**
 * A line in compact form, as on the socket and in merged pages: sequence number, microseconds since the epoch, stream (0
 * unknown, 1 stdout, 2 stderr), level (null unknown), text, and flags.
 */
export type WireLine = [
  seq: number,
  time: number,
  stream: 0 | 1 | 2,
  level: Level | null,
  text: string,
  flags: number,
];

const STREAMS = { stdout: 1, stderr: 2 } as const;

const CONTINUES = 1;
/** The line was cut when it was read; the single line says by how many bytes. */
const CUT = 2;
/** The text is shorter than the stored one, because the reader asked for less. */
const SHORTENED = 4;

export function wireLine({ seq, time, stream, level, text, cut, continues, shortened }: LogLine): WireLine {
  const flags = (continues ? CONTINUES : 0) | (cut > 0 ? CUT : 0) | (shortened ? SHORTENED : 0);
  return [seq, time, stream === null ? 0 : STREAMS[stream], level, text, flags];
}
