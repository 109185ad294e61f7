import type { Hit, LineMarks } from './hits';
import type { LogGap, LogLine, LogRow } from './log-line';
import { LEVEL_LETTERS, type SourceStyle } from './line-style';
import { fullTime, lineTime, type TimeMode } from './line-time';
import { lineCount } from '../format/format';
import { parseRow, type RowText, type Segment, segmentsOf } from './segments';

export interface DrawnRow {
  at: number;
  /** `aria-rowindex`. */
  index: number;
  line: LogLine | null;
  gap: LogGap | null;
  time: string;
  fullTime: string;
  level: LogLine['level'];
  letters: string;
  source: SourceStyle | null;
  segments: readonly Segment[];
  isClipped: boolean;
  /** Number of a source color, or null. */
  highlight: number | null;
  isCursor: boolean;
  isSelected: boolean;
  gapLabel: string;
}

export interface DrawOptions {
  styleOf: (source: number) => SourceStyle;
  marks: LineMarks | null;
  highlightOf: (line: LogLine, text: string) => number | null;
  mode: TimeMode;
  /** For relative times, in milliseconds. */
  now: number;
  first: number;
  cursor: number | null;
  other: number | null;
}

interface KnownText {
  shown: RowText;
  hits: readonly Hit[];
  segments: readonly Segment[];
}

const NO_HITS: readonly Hit[] = [];

/** Caches parsed lines; segments are rebuilt only if the hits change. */
export class SegmentCache {
  private readonly known = new WeakMap<LogLine, KnownText>();

  /** @param hidesTimes whether a time at the start of a message is left out if it repeats that of the row */
  constructor(
    private readonly isStructured: boolean,
    private readonly hidesTimes: boolean,
  ) {}

  of(
    line: LogLine,
    marks: LineMarks | null,
  ): { text: string; segments: readonly Segment[]; isClipped: boolean } {
    let known = this.known.get(line);
    const shown = known?.shown ?? parseRow(line.text, this.isStructured, this.hidesTimes ? line.time : null);
    const hits = marks?.hits(line, shown.text) ?? NO_HITS;
    if (known?.hits !== hits) {
      known = { shown, hits, segments: segmentsOf(shown, hits) };
      this.known.set(line, known);
    }
    return { text: shown.text, segments: known.segments, isClipped: shown.isClipped };
  }
}

export function drawRow(
  at: number,
  row: LogRow | undefined,
  options: DrawOptions,
  cache: SegmentCache,
): DrawnRow {
  const { styleOf, cursor, other, first } = options;
  const isCursor = at === cursor;
  const isSelected =
    cursor !== null &&
    (isCursor || (other !== null && at >= Math.min(cursor, other) && at <= Math.max(cursor, other)));
  const base: DrawnRow = {
    at,
    index: at - first + 1,
    line: null,
    gap: null,
    time: '',
    fullTime: '',
    level: null,
    letters: '',
    source: null,
    segments: [],
    isClipped: false,
    highlight: null,
    isCursor,
    isSelected,
    gapLabel: '',
  };
  if (!row) return base;
  const source = styleOf(row.source);
  if (row.kind === 'gap') return { ...base, gap: row, source, gapLabel: gapLabel(row, source.name) };
  const { text, segments, isClipped } = cache.of(row, options.marks);
  return {
    ...base,
    line: row,
    time: lineTime(row.time, options.mode, options.now),
    fullTime: fullTime(row.time, options.mode === 'utc'),
    // A continuation line has the level of its first line, which shows it.
    level: row.continues ? null : row.level,
    letters: row.level === null || row.continues ? '' : LEVEL_LETTERS[row.level],
    source,
    segments,
    isClipped: isClipped || row.isCut,
    highlight: options.highlightOf(row, text),
  };
}

function gapLabel(gap: LogGap, source: string): string {
  return $localize`${lineCount(gap.count)}:lines: of ${source}:source: skipped: the page was too slow`;
}
