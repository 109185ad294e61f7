import { readAnsi, readPlain, type TextRun } from './ansi';
import type { Hit } from './hits';
import { withoutRepeatedTime } from './repeated-time';
import { structuredLine, type StructuredLine } from './structured-line';

export interface Segment {
  text: string;
  style: string;
  isMarked: boolean;
}

/** Characters shown in a row; the line details show the rest. */
export const MAX_SHOWN_LENGTH = 2000;

/** `name=` and its value, as in logfmt. */
const FIELD = /(?<=^|[\s,{(])([A-Za-z_][\w.-]*=)("(?:[^"\\]|\\.)*"|[^\s,)}]*)/g;

export interface RowText {
  text: string;
  runs: readonly TextRun[];
  isClipped: boolean;
}

/**
 * Terminal colors, or dimmed field names if the line has none.
 * @param isStructured whether a JSON, logfmt or klog line shows its message first
 * @param time of the line in microseconds, which its message does not repeat; null to show the message as it is
 */
export function parseRow(line: string, isStructured = false, time: number | null = null): RowText {
  const withoutTime = (text: string): string => (time === null ? text : withoutRepeatedTime(text, time));
  const read = readAnsi(withoutTime(line));
  const [only] = read;
  const isPlain = read.length === 1 && only?.style === '' && only.symbol === undefined;
  const structured = isStructured && isPlain ? structuredLine(only.text) : null;
  if (structured) {
    const message = withoutTime(structured.message);
    const { clipped, isClipped } = clip(structuredRuns({ ...structured, message }));
    return { text: clipped.map(({ text }) => text).join(''), runs: clipped, isClipped };
  }
  const { clipped, isClipped } = clip(read);
  const hasStyles = clipped.some(({ style, symbol }) => style !== '' && symbol === undefined);
  const runs = hasStyles ? clipped : clipped.flatMap(dimFields);
  return { text: clipped.map(({ text }) => text).join(''), runs, isClipped };
}

/** Values of JSON may contain what a line cannot: escapes, and line ends. */
function structuredRuns({ message, fields }: StructuredLine): TextRun[] {
  const runs = (text: string, style: string): TextRun[] =>
    readPlain(text.replace(/[\r\n]+/g, ' ↵ ')).map((run) =>
      run.symbol === undefined ? { ...run, style } : run,
    );
  return [...runs(message, ''), ...(fields.length === 0 ? [] : runs(`  ${fields.join(' ')}`, 'meta'))];
}

/** Splits runs at the ends of matches. A match may span several runs. */
export function segmentsOf({ runs }: Pick<RowText, 'runs'>, hits: readonly Hit[]): Segment[] {
  if (hits.length === 0) return runs.map(unmarked);
  const segments: Segment[] = [];
  let at = 0;
  for (const { text, style, symbol } of runs) {
    const end = at + text.length;
    if (symbol !== undefined) {
      const begin = at;
      // A symbol without text belongs to the text around it.
      segments.push({ text: symbol, style, isMarked: hits.some((hit) => hit.from < end && hit.to > begin) });
      at = end;
      continue;
    }
    let from = at;
    for (const hit of hits) {
      if (hit.to <= from || hit.from >= end) continue;
      const begin = Math.max(hit.from, from);
      const stop = Math.min(hit.to, end);
      if (begin > from) segments.push({ text: text.slice(from - at, begin - at), style, isMarked: false });
      segments.push({ text: text.slice(begin - at, stop - at), style, isMarked: true });
      from = stop;
    }
    if (from < end) segments.push({ text: text.slice(from - at), style, isMarked: false });
    at = end;
  }
  return segments;
}

function clip(runs: readonly TextRun[]): { clipped: TextRun[]; isClipped: boolean } {
  let left = MAX_SHOWN_LENGTH;
  const clipped: TextRun[] = [];
  for (const run of runs) {
    if (left <= 0) return { clipped, isClipped: true };
    const { text, style, symbol } = run;
    if (symbol === undefined) clipped.push({ text: text.slice(0, left), style });
    else clipped.push({ ...run, symbol: symbol.slice(0, left) });
    left -= (symbol ?? text).length;
  }
  return { clipped, isClipped: left < 0 };
}

function dimFields(run: TextRun): TextRun[] {
  const { text, style, symbol } = run;
  if (symbol !== undefined || !text.includes('=')) return [run];
  const parts: TextRun[] = [];
  let from = 0;
  for (const match of text.matchAll(FIELD)) {
    if (match.index > from) parts.push({ text: text.slice(from, match.index), style });
    parts.push({ text: match[1] ?? '', style: 'f' });
    if (match[2]) parts.push({ text: match[2], style: 'q' });
    from = match.index + match[0].length;
  }
  if (from < text.length) parts.push({ text: text.slice(from), style });
  return parts;
}

function unmarked({ text, style, symbol }: TextRun): Segment {
  return { text: symbol ?? text, style, isMarked: false };
}
