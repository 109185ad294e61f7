import { formatCount, lineCount } from '../format/format';
import { plainText } from './ansi';
import { type LogLine, rfc3339 } from './log-line';
import type { RowSource } from './row-source';

/** Limit for the clipboard; the user can download more. */
export const MAX_COPIED = 10_000;

export interface CopiedRows {
  text: string;
  lines: number;
  /** Lines that are truncated in memory. */
  cut: number;
  /** Lines that are not loaded. */
  missing: number;
  /** Rows beyond the limit. */
  excess: number;
}

/** @param nameOf the name of a source, added to each line; null if there is only one source */
export function readRows(
  rows: RowSource,
  from: number,
  to: number,
  nameOf: ((source: number) => string) | null,
  max = MAX_COPIED,
): CopiedRows {
  const lines: string[] = [];
  let [cut, missing, at] = [0, 0, from];
  for (; at <= to && lines.length < max; at += 1) {
    const row = rows.row(at);
    if (row?.kind !== 'line') missing += row?.count ?? 1;
    else {
      if (row.isCut) cut += 1;
      lines.push(textOf(row, nameOf));
    }
  }
  return { text: lines.join('\n'), lines: lines.length, cut, missing, excess: Math.max(0, to - at + 1) };
}

function textOf({ time, source, text, isCut }: LogLine, nameOf: ((source: number) => string) | null): string {
  const name = nameOf ? `${nameOf(source)} ` : '';
  return `${rfc3339(time)} ${name}${plainText(text)}${isCut ? ' … (cut)' : ''}`;
}

export function copyTitle({ lines, missing, excess }: CopiedRows): string {
  const all = lines + missing + excess;
  if (all === lines) return $localize`${lineCount(lines)}:lines: copied`;
  return $localize`${formatCount(lines)}:count: of ${lineCount(all)}:lines: copied`;
}

/** Explains what was not copied; empty if everything was. */
export function copyGaps({ cut, missing, excess }: CopiedRows): string {
  const gaps: string[] = [];
  if (cut > 0) {
    gaps.push($localize`${lineCount(cut)}:lines: truncated: open a line to copy its full text.`);
  }
  if (missing > 0) {
    gaps.push(
      $localize`${lineCount(missing)}:lines: not loaded: scroll through the selection first, or download it.`,
    );
  }
  if (excess > 0) {
    gaps.push(
      $localize`${lineCount(excess)}:lines: left out: you can copy ${formatCount(MAX_COPIED)}:limit: at once. Select fewer, or download them.`,
    );
  }
  return gaps.join(' ');
}
