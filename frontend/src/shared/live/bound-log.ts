import type { JobLogLineDto } from '../api/api-types';
import { lineCount } from '../format/format';

/** The server's limit, plus slack so that a log at its limit is not cut with every line. */
const KEPT_LINES = 10_000;
const SLACK_LINES = 500;

/**
 * Truncates a log as the server does: keeps its start and end, with a line between them that counts the omitted
 * lines. Only such cuts leave gaps in the sequence numbers.
 */
export function boundLog(
  lines: readonly JobLogLineDto[],
  most = KEPT_LINES,
  slack = SLACK_LINES,
): readonly JobLogLineDto[] {
  if (lines.length <= most + slack) return lines;
  const marked = lines.findIndex(({ kind }) => kind === 'cut');
  const headEnd = marked < 0 ? Math.floor(most / 2) : Math.min(marked, Math.floor(most / 2));
  const head = lines.slice(0, headEnd);
  const tail = lines.slice(-(most - headEnd - 1));
  const first = lines[headEnd];
  const next = tail[0];
  if (!first || !next) return lines;
  const left = next.sequence - first.sequence - (marked < 0 ? 0 : 1);
  return [...head, { ...first, kind: 'cut', text: $localize`${lineCount(left)}:lines: omitted` }, ...tail];
}
