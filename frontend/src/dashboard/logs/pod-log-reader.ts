import { DestroyRef, inject, Injectable, signal } from '@angular/core';
import { apiUrl, type ClusterKey } from '../../shared/api/api';
import { ApiProblem } from '../../shared/api/api-problem';
import type { PodLogEvent } from '../../shared/api/api-types';
import { type LogLine, MAX_LINE_LENGTH, microseconds, truncated } from '../../shared/lines/log-line';
import { EventLines } from '../../shared/live/event-lines';
import { type FullText, LongLines } from './long-lines';
import { PodLogRows } from './pod-log-rows';

/** Lines read before following. */
const TAIL = 1000;

export interface PodLogAddress {
  key: ClusterKey;
  namespace: string;
  pod: string;
  container: string;
  previous: boolean;
}

/** `opening` until the first response; `open` while following. */
export type PodLogState = 'opening' | 'open' | 'ended' | 'failed';

@Injectable()
export class PodLogReader {
  private readonly events = inject(EventLines);
  private readonly current = signal(new PodLogRows());
  private readonly status = signal<PodLogState>('opening');
  private readonly failure = signal<ApiProblem | null>(null);
  private readonly omitted = signal(0);
  private reading: AbortController | undefined;
  private long = new LongLines();

  readonly rows = this.current.asReadonly();
  readonly state = this.status.asReadonly();
  readonly problem = this.failure.asReadonly();
  /** Number of older lines that did not fit. */
  readonly leftOut = this.omitted.asReadonly();

  constructor() {
    inject(DestroyRef).onDestroy(() => this.stop());
  }

  stop(): void {
    this.reading?.abort();
    this.reading = undefined;
  }

  /** The full text of a line; null if it is no longer in memory. */
  whole({ seq, text, isCut }: LogLine): FullText | null {
    return isCut ? (this.long.get(seq) ?? null) : { text, cut: 0 };
  }

  /** Starts over with another log. Resolves when it ends or reading stops. */
  async read(address: PodLogAddress): Promise<void> {
    this.stop();
    const reading = new AbortController();
    this.reading = reading;
    const rows = new PodLogRows();
    const long = new LongLines();
    this.long = long;
    this.current.set(rows);
    this.failure.set(null);
    this.omitted.set(0);
    this.status.set('opening');
    try {
      for await (const events of this.events.read<PodLogEvent>(urlOf(address), reading.signal)) {
        if (this.reading !== reading) return;
        this.status.set('open');
        const [first] = events;
        if (first?.type === 'left_out') this.omitted.set(first.lines);
        rows.add(linesOf(events, rows.end, long));
        const last = events.at(-1);
        if (last?.type === 'error') throw new ApiProblem(last.code, last.message, 0);
        if (last?.type === 'end') this.status.set('ended');
      }
      if (this.reading === reading && this.status() !== 'ended') {
        throw new ApiProblem(
          'offline',
          $localize`The connection was lost. Reload the log once Slipway is reachable.`,
          0,
        );
      }
    } catch (error) {
      if (this.reading !== reading) return;
      this.failure.set(ApiProblem.of(error));
      this.status.set('failed');
    }
  }
}

function urlOf({ key, namespace, pod, container, previous }: PodLogAddress): string {
  return apiUrl('/api/v1/clusters/{name}/pods/{namespace}/{pod}/logs', {
    ...key,
    namespace,
    pod,
    container,
    previous,
    follow: true,
    tail: TAIL,
  });
}

function linesOf(events: readonly PodLogEvent[], first: number, long: LongLines): LogLine[] {
  const lines: LogLine[] = [];
  for (const event of events) {
    if (event.type !== 'line') continue;
    const { time, level, text, cut, continues } = event.line;
    const at = microseconds(time);
    const seq = first + lines.length;
    const isCut = cut > 0 || text.length > MAX_LINE_LENGTH;
    if (isCut) long.add(seq, { text, cut });
    lines.push({
      kind: 'line',
      source: 0,
      seq,
      time: at,
      rank: at,
      stream: null,
      level,
      text: truncated(text),
      continues,
      isCut,
    });
  }
  return lines;
}
