import type { WireMergedLine } from './line-page.dto.js';
import type { LineDto } from './line.dto.js';
import type { StoredLine } from './line.js';
import { timeText } from './time-text.js';
import { wireLine } from './wire-line.js';

/** A line of a source as the API tells it. */
export function presentLine(
  source: number,
  { seq, time, stream, level, text, cut, continues, shortened }: StoredLine,
): LineDto {
  const line: LineDto = { source, seq, time: timeText(time), stream, level, text, cut, continues };
  if (shortened) line.shortened = true;
  return line;
}

/** The same in the compact form of a merged page: as on the socket, with the source before it. */
export function mergedLine(source: number, line: StoredLine): WireMergedLine {
  return [source, ...wireLine(line)];
}
