import { timeText } from '../../core/values/index.js';
import type { LogLine } from '../../drivers/log-store/index.js';
import type { LineDto } from './line.dto.js';

export function presentLine(
  source: number,
  { seq, time, stream, level, text, cut, continues, shortened }: LogLine,
): LineDto {
  const line: LineDto = { source, seq, time: timeText(time), stream, level, text, cut, continues };
  if (shortened) line.shortened = true;
  return line;
}
