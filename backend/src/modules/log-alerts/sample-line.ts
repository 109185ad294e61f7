import type { LineDto } from '../log-lines/index.js';
import type { LogLine } from '../../drivers/log-store/index.js';

/** As much as a person reads in a message; the line itself is in history. */
const MOST_CHARACTERS = 4000;

/** A line as a firing keeps it: at most its first characters, with the rest counted as cut. */
export function sampleOf(source: number, line: LogLine): LineDto {
  const { seq, stream, level, continues } = line;
  const text = line.text.slice(0, MOST_CHARACTERS);
  const cut = line.cut + Buffer.byteLength(line.text.slice(MOST_CHARACTERS));
  return { source, seq, time: timeOf(line.time), stream, level, text, cut, continues };
}

/** RFC 3339 with microseconds. */
function timeOf(microseconds: number): string {
  const rest = String(microseconds % 1_000_000).padStart(6, '0');
  return `${new Date(Math.floor(microseconds / 1000)).toISOString().slice(0, 19)}.${rest}Z`;
}
