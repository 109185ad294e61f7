import { DestroyRef, inject, Injectable, signal } from '@angular/core';
import { podUrl, type ClusterKey } from '../../shared/api/api';
import { ApiProblem } from '../../shared/api/api-problem';
import type { PodLogEvent } from '../../shared/api/api-types';
import { EventLines } from '../../shared/api/event-lines';
import { keptText, LONGEST_KEPT, type LogLine, microseconds } from '../../shared/lines/log-line';
import { LongLines, type FullText } from './long-lines';
import { PodLogRows } from './pod-log-rows';

/** Lines that a log begins with here. */
const TAIL = 1000;

export interface PodLogAddress {
  key: ClusterKey;
  namespace: string;
  pod: string;
  container: string;
  previous: boolean;
}

/** How far a log is: its first lines are awaited, it is followed, it ended, or it cannot be read. */
export type PodLogState = 'opening' | 'open' | 'ended' | 'failed';

/** Reads one log at a time, and follows it as long as somebody looks. */
@Injectable()
export class PodLogReader {
  private readonly events = inject(EventLines);
  private readonly shown = signal(new PodLogRows());
  private readonly at = signal<PodLogState>('opening');
  private readonly failure = signal<ApiProblem | null>(null);
  private readonly missing = signal(0);
  private reading: AbortController | undefined;
  private long = new LongLines();

  readonly rows = this.shown.asReadonly();
  readonly state = this.at.asReadonly();
  readonly problem = this.failure.asReadonly();
  /** Older lines that were asked for, and that there was no room for. */
  readonly leftOut = this.missing.asReadonly();

  constructor() {
    inject(DestroyRef).onDestroy(() => this.leave());
  }

  leave(): void {
    this.reading?.abort();
    this.reading = undefined;
  }

  /** All of a line; null where it was too long to be held for so long. */
  whole({ seq, text, isCut }: LogLine): FullText | null {
    return isCut ? (this.long.get(seq) ?? null) : { text, cut: 0 };
  }

  /** Begins anew. Resolves when the log ended, or nobody looks at it any more. */
  async read(address: PodLogAddress): Promise<void> {
    this.leave();
    const reading = new AbortController();
    this.reading = reading;
    const rows = new PodLogRows();
    const long = new LongLines();
    this.long = long;
    this.shown.set(rows);
    this.failure.set(null);
    this.missing.set(0);
    this.at.set('opening');
    try {
      for await (const events of this.events.read<PodLogEvent>(urlOf(address), reading.signal)) {
        if (this.reading !== reading) return;
        this.at.set('open');
        const [first] = events;
        if (first?.type === 'left_out') this.missing.set(first.lines);
        rows.add(linesOf(events, rows.end, long));
        const last = events.at(-1);
        if (last?.type === 'error') throw new ApiProblem(last.code, last.message, 0);
        if (last?.type === 'end') this.at.set('ended');
      }
      if (this.reading === reading && this.at() !== 'ended') {
        throw new ApiProblem('offline', 'The connection broke off. Read on once Slipway answers.', 0);
      }
    } catch (error) {
      if (this.reading !== reading) return;
      this.failure.set(ApiProblem.of(error));
      this.at.set('failed');
    }
  }
}

function urlOf({ key, namespace, pod, container, previous }: PodLogAddress): string {
  const query = new URLSearchParams({
    container,
    previous: String(previous),
    follow: 'true',
    tail: String(TAIL),
  });
  return `${podUrl(key, namespace, pod, '/logs')}&${query.toString()}`;
}

function linesOf(events: readonly PodLogEvent[], first: number, long: LongLines): LogLine[] {
  const lines: LogLine[] = [];
  for (const event of events) {
    if (event.type !== 'line') continue;
    const { time, level, text, cut, continues } = event.line;
    const at = microseconds(time);
    const seq = first + lines.length;
    const isCut = cut > 0 || text.length > LONGEST_KEPT;
    if (isCut) long.add(seq, { text, cut });
    lines.push({
      kind: 'line',
      source: 0,
      seq,
      time: at,
      rank: at,
      stream: null,
      level,
      text: keptText(text),
      continues,
      isCut,
    });
  }
  return lines;
}
