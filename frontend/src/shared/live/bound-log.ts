import type { JobLogLineDto } from '../api/api-types';

/** As many as the server keeps, and a few more, so that a log at the bound is not cut with every line. */
const KEPT_LINES = 10_000;
const SLACK_LINES = 500;

/**
 * Cuts a log as the server does: the beginning and the end stay, and a mark between them counts what was
 * left out. Sequences have no gaps but those of cuts, so they say how many lines that is.
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
  return [...head, { ...first, kind: 'cut', text: `${left} lines were left out here` }, ...tail];
}
