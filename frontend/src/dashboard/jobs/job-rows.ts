import { computed, type Signal } from '@angular/core';
import type { JobLogLineDto, LogKind } from '../../shared/api/api-types';
import { type LogLine, microseconds } from '../../shared/lines/log-line';
import type { RowSource } from '../../shared/lines/row-source';
import { MAX_SHOWN_LENGTH } from '../../shared/lines/segments';

const LEVELS: Readonly<Partial<Record<LogKind, LogLine['level']>>> = { warning: 'warn', error: 'error' };

export class JobRows implements RowSource {
  private readonly known = new WeakMap<JobLogLineDto, readonly LogLine[]>();
  private readonly rows = computed(() => this.lines().flatMap((line) => this.rowsOf(line)));
  /** The sequence of the last line: it grows with each change. */
  readonly version = computed(() => this.lines().at(-1)?.sequence ?? 0);
  readonly first = 0;

  constructor(private readonly lines: Signal<readonly JobLogLineDto[]>) {}

  get end(): number {
    return this.rows().length;
  }

  get arrived(): number {
    return this.version();
  }

  row(at: number): LogLine | undefined {
    return this.rows()[at];
  }

  /** One row, or several if the line is longer than a row may be. */
  private rowsOf(line: JobLogLineDto): readonly LogLine[] {
    let rows = this.known.get(line);
    if (!rows) {
      rows = split(line.kind === 'command' ? `$ ${line.text}` : line.text).map((text, index) =>
        rowOf(line, text, index > 0),
      );
      this.known.set(line, rows);
    }
    return rows;
  }
}

/** The whole log as text, each line with its time in UTC. */
export function toText(lines: readonly JobLogLineDto[]): string {
  return lines.map(({ time, text }) => `${time} ${text}\n`).join('');
}

function split(text: string): string[] {
  // eslint-disable-next-line no-restricted-syntax -- The length is a constant.
  return text === '' ? [''] : (text.match(new RegExp(`[^]{1,${MAX_SHOWN_LENGTH}}`, 'gu')) ?? []);
}

function rowOf({ sequence, kind, time }: JobLogLineDto, text: string, continues: boolean): LogLine {
  const at = microseconds(time);
  return {
    kind: 'line',
    source: 0,
    seq: sequence,
    time: at,
    rank: at,
    stream: null,
    level: LEVELS[kind] ?? null,
    tone: kind,
    text,
    continues,
    isCut: false,
  };
}
