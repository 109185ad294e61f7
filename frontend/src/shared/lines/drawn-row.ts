import { plural } from '../format/format';
import type { Hit, LineMarks } from './hits';
import type { LogGap, LogLine, LogRow } from './log-line';
import { LEVEL_LETTERS, type SourceStyle } from './line-style';
import { fullTime, lineTime, type TimeMode } from './line-time';
import { readShown, type Segment, segmentsOf, type ShownText } from './segments';

/** All that a row of the list shows. */
export interface DrawnRow {
  at: number;
  /** From 1 on, as it is told to who hears the page. */
  index: number;
  line: LogLine | null;
  gap: LogGap | null;
  time: string;
  fullTime: string;
  level: LogLine['level'];
  letters: string;
  look: SourceStyle | null;
  segments: readonly Segment[];
  isClipped: boolean;
  isCursor: boolean;
  isChosen: boolean;
  words: string;
}

export interface DrawOptions {
  look: (source: number) => SourceStyle;
  marks: LineMarks | null;
  mode: TimeMode;
  /** For relative times. */
  now: number;
  first: number;
  cursor: number | null;
  other: number | null;
}

interface KnownText {
  shown: ShownText;
  hits: readonly Hit[];
  segments: readonly Segment[];
}

const NO_HITS: readonly Hit[] = [];

/** What was read of a line is read once; it is cut anew only where other hits are marked. */
export class SegmentCache {
  private readonly known = new WeakMap<LogLine, KnownText>();

  of(line: LogLine, marks: LineMarks | null): { segments: readonly Segment[]; isClipped: boolean } {
    let known = this.known.get(line);
    const shown = known?.shown ?? readShown(line.text);
    const hits = marks?.hits(line, shown.text) ?? NO_HITS;
    if (known?.hits !== hits) {
      known = { shown, hits, segments: segmentsOf(shown, hits) };
      this.known.set(line, known);
    }
    return { segments: known.segments, isClipped: shown.isClipped };
  }
}

export function drawRow(
  at: number,
  row: LogRow | undefined,
  options: DrawOptions,
  cache: SegmentCache,
): DrawnRow {
  const { look, cursor, other, first } = options;
  const isCursor = at === cursor;
  const isChosen =
    cursor !== null &&
    (isCursor || (other !== null && at >= Math.min(cursor, other) && at <= Math.max(cursor, other)));
  const base = { ...EMPTY, at, index: at - first + 1, isCursor, isChosen };
  if (!row) return base;
  const source = look(row.source);
  if (row.kind === 'gap') return { ...base, gap: row, look: source, words: gapMessage(row, source.name) };
  const { segments, isClipped } = cache.of(row, options.marks);
  return {
    ...base,
    line: row,
    time: lineTime(row.time, options.mode, options.now),
    fullTime: fullTime(row.time, options.mode === 'utc'),
    // What belongs to the line before it has that line's level, which is named once.
    level: row.continues ? null : row.level,
    letters: row.level === null || row.continues ? '' : LEVEL_LETTERS[row.level],
    look: source,
    segments,
    isClipped: isClipped || row.isCut,
  };
}

const EMPTY: DrawnRow = {
  at: 0,
  index: 0,
  line: null,
  gap: null,
  time: '',
  fullTime: '',
  level: null,
  letters: '',
  look: null,
  segments: [],
  isClipped: false,
  isCursor: false,
  isChosen: false,
  words: '',
};

/** How many lines a gap stands for, in words. */
function gapMessage(gap: LogGap, source: string): string {
  return $localize`${plural(gap.count, 'line')}:lines: of ${source}:source: skipped: the page was too slow`;
}
