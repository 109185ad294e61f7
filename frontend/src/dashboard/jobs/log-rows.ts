import type { JobLogLineDto, LogKind } from '../../shared/api/api-types';

/** One row on the screen: a line, or a part of a line that was wrapped. All rows have one height. */
export interface LogRow {
  /** `17`, or `17.1` for the second row of line 17. */
  key: string;
  kind: LogKind;
  /** Null where a wrapped line goes on. */
  time: string | null;
  text: string;
}

/**
 * Lays lines out in rows of one height, so that a log of any length scrolls exactly with few rows in the
 * page. The face is monospaced, so a line wraps where `columns` of it are full, at a space if there is one; null leaves it whole.
 */
export function toRows(lines: readonly JobLogLineDto[], columns: number | null): LogRow[] {
  const rows: LogRow[] = [];
  for (const { sequence, kind, time, text } of lines) {
    const parts = columns === null || kind === 'cut' ? [text] : wrap(text, columns);
    for (const [index, part] of parts.entries()) {
      rows.push({
        key: index === 0 ? String(sequence) : `${sequence}.${index}`,
        kind,
        time: index === 0 ? time : null,
        text: part,
      });
    }
  }
  return rows;
}

/** The whole log as text, each line with its time in UTC. */
export function toText(lines: readonly JobLogLineDto[]): string {
  return lines.map(({ time, text }) => `${time} ${text}\n`).join('');
}

/** `09:40:48.102` in the reader's own zone. */
export function logTime(time: string): string {
  const at = new Date(time);
  if (Number.isNaN(at.getTime())) return '';
  const [hours, minutes, seconds] = [at.getHours(), at.getMinutes(), at.getSeconds()].map((part) =>
    String(part).padStart(2, '0'),
  );
  return `${hours}:${minutes}:${seconds}.${String(at.getMilliseconds()).padStart(3, '0')}`;
}

function wrap(text: string, columns: number): string[] {
  const width = Math.max(8, Math.floor(columns));
  // By code points: a pair of surrogates is one character and must stay one.
  const characters = Array.from(text);
  const parts: string[] = [];
  let start = 0;
  while (characters.length - start > width) {
    // After the last space of the row; a word longer than half of it is split instead.
    const space = characters.lastIndexOf(' ', start + width - 1);
    const end = space >= start + width / 2 ? space + 1 : start + width;
    parts.push(characters.slice(start, end).join(''));
    start = end;
  }
  parts.push(characters.slice(start).join(''));
  return parts;
}
