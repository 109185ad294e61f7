import { plainText } from './ansi';
import { rfc3339 } from './log-line';
import type { RowSource } from './row-source';

/** Longest stretch that is put into the clipboard at once; more is a download. */
export const MOST_COPIED = 10_000;

/** Copies rows as text, with their times. What is not here is left out. @returns how many were copied */
export async function copyRows(rows: RowSource, from: number, to: number): Promise<number> {
  const lines: string[] = [];
  for (let at = from; at <= to && lines.length < MOST_COPIED; at += 1) {
    const row = rows.row(at);
    if (row?.kind === 'line') lines.push(`${rfc3339(row.time)} ${plainText(row.text)}`);
  }
  await navigator.clipboard.writeText(lines.join('\n'));
  return lines.length;
}
