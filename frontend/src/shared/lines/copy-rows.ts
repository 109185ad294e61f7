import { plural } from '../format/format';
import { plainText } from './ansi';
import { type LogLine, rfc3339 } from './log-line';
import type { RowSource } from './row-source';

/** Longest stretch that is put into the clipboard at once; more is a download. */
export const MOST_COPIED = 10_000;

/** Rows as text, and what of them is not in it. */
export interface CopiedRows {
  text: string;
  lines: number;
  /** Of the lines, those of which only the begin is held. */
  cut: number;
  /** Lines between them that are not in the page. */
  missing: number;
  /** Rows that were too many. */
  over: number;
}

/** Reads rows with their times. @param nameOf what tells sources apart; null where there is but one */
export function readRows(
  rows: RowSource,
  from: number,
  to: number,
  nameOf: ((source: number) => string) | null,
): CopiedRows {
  const lines: string[] = [];
  let [cut, missing, at] = [0, 0, from];
  for (; at <= to && lines.length < MOST_COPIED; at += 1) {
    const row = rows.row(at);
    if (row?.kind !== 'line') missing += row?.count ?? 1;
    else {
      if (row.isCut) cut += 1;
      lines.push(textOf(row, nameOf));
    }
  }
  return { text: lines.join('\n'), lines: lines.length, cut, missing, over: Math.max(0, to - at + 1) };
}

function textOf({ time, source, text, isCut }: LogLine, nameOf: ((source: number) => string) | null): string {
  const name = nameOf ? `${nameOf(source)} ` : '';
  return `${rfc3339(time)} ${name}${plainText(text)}${isCut ? ' … (cut)' : ''}`;
}

/** What was copied, in a few words. */
export function copyTitle({ lines, missing, over }: CopiedRows): string {
  const all = lines + missing + over;
  if (all === lines) return $localize`${plural(lines, 'line')}:lines: copied`;
  return $localize`${lines.toLocaleString('en')}:count: of ${plural(all, 'line')}:lines: copied`;
}

/** What was not, and what can be done about it; empty where everything was. */
export function copyGaps({ cut, missing, over }: CopiedRows): string {
  const gaps: string[] = [];
  if (cut > 0) {
    gaps.push($localize`${plural(cut, 'line')}:lines: truncated: open a line to copy its full text.`);
  }
  if (missing > 0) {
    gaps.push(
      $localize`${plural(missing, 'line')}:lines: not loaded: scroll through the selection first, or download it.`,
    );
  }
  if (over > 0) {
    gaps.push(
      $localize`${plural(over, 'line')}:lines: left out: you can copy ${MOST_COPIED.toLocaleString('en')}:limit: at once. Select fewer, or download them.`,
    );
  }
  return gaps.join(' ');
}
