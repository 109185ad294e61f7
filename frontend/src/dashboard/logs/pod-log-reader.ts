import { computed, DestroyRef, inject, Injectable, signal } from '@angular/core';
import type { NamedSource } from '../../../../backend/src/core/search/index.js';
import { apiUrl, type ClusterKey } from '../../shared/api/api';
import { ApiProblem } from '../../shared/api/api-problem';
import type { PodLogEvent, WorkloadLogSource } from '../../shared/api/api-types';
import {
  type LinePlace,
  type LogLine,
  MAX_LINE_LENGTH,
  microseconds,
  truncated,
} from '../../shared/lines/log-line';
import { EventLines } from '../../shared/live/event-lines';
import { type FullText, LongLines } from './long-lines';
import { PodLogRows } from './pod-log-rows';

/** Lines read before following: first, and then at most; of a workload, of each container. */
const TAILS = { pod: [1000, 10_000], workload: [200, 1000] } as const;

export interface PodLogAddress {
  key: ClusterKey;
  namespace: string;
  pod: string;
  container: string;
  previous: boolean;
}

/** All Pods of a workload, in one log. */
export interface WorkloadLogAddress {
  key: ClusterKey;
  namespace: string;
  /** Its kind and name: `Deployment/web`. A CronJob has the Pods of its Jobs. */
  workload: string;
}

/** Sources that only stored lines have, by whose numbers the cluster's are called. */
const FIRST_STORED = 1_000_000;

/** `opening` until the first response; `open` while following. */
export type PodLogState = 'opening' | 'open' | 'ended' | 'failed';

@Injectable()
export class PodLogReader {
  private readonly events = inject(EventLines);
  private readonly current = signal(new PodLogRows());
  private readonly status = signal<PodLogState>('opening');
  private readonly failure = signal<ApiProblem | null>(null);
  private readonly omitted = signal(0);
  private readonly known = signal<ReadonlyMap<number, WorkloadLogSource>>(new Map());
  private readonly podCount = signal<{ count: number; followed: number } | null>(null);
  private readonly opened = signal<PodLogAddress | WorkloadLogAddress | null>(null);
  private readonly most = signal(false);
  private readonly limited = signal(false);
  /** Numbers of lines that are older than the reading, by source. */
  private older = new Map<number, number>();
  private startedAt = 0;
  private ranks = new Map<number, number>();
  /** Numbers of sources that others of the same container have, by their own. */
  private aliases = new Map<number, number>();
  private received = 0;
  private joinedCount = 0;
  private storedPlaces = new Map<number, LinePlace>();
  private reading: AbortController | undefined;
  private long = new LongLines();

  readonly rows = this.current.asReadonly();
  readonly address = this.opened.asReadonly();
  readonly state = this.status.asReadonly();
  readonly problem = this.failure.asReadonly();
  /** Number of older lines that did not fit. */
  readonly leftOut = this.omitted.asReadonly();

  /** Of a workload: its containers, also those of deleted Pods. */
  readonly sources = this.known.asReadonly();
  /** Of a workload: how many Pods it has, and how many of them are followed. */
  readonly pods = this.podCount.asReadonly();

  /** How many of the newest lines were read, if there may be older ones. */
  readonly newest = computed(() => (this.limited() ? this.tail() : null));
  /** More of them can be read. */
  readonly canReadMore = computed(() => this.limited() && !this.most());
  private readonly tail = computed(() => {
    const address = this.opened();
    return TAILS[address && 'workload' in address ? 'workload' : 'pod'][this.most() ? 1 : 0];
  });

  /** Whether the first lines or a failure arrived. */
  readonly isKnown = computed(() => {
    const state = this.status();
    const address = this.opened();
    return (
      state !== 'opening' && (state === 'failed' || !address || 'pod' in address || this.podCount() !== null)
    );
  });

  /** The sources of the lines, with the names by which a query may call them. */
  readonly named = computed<NamedSource[]>(() => {
    const address = this.address();
    if (!address) return [];
    const { key, namespace } = address;
    const sources = 'pod' in address ? [{ source: 0, ...address }] : [...this.known().values()];
    return sources.map(({ source, pod, container }) => ({
      id: source,
      identity: {
        ...{ kind: 'pod', cluster: key.name, namespace, workload: null },
        ...{ name: pod, container, service: null },
      },
    }));
  });

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

  /** Where the store has the full text of a line that has joined; null for other lines. */
  storedAt({ seq }: LogLine): LinePlace | null {
    return this.storedPlaces.get(seq) ?? null;
  }

  /** Starts over with older lines. */
  readMore(): void {
    const address = this.opened();
    if (address) void this.read(address, true);
  }

  /** Starts over with another log. Resolves when it ends or reading stops. */
  async read(address: PodLogAddress | WorkloadLogAddress, most = false): Promise<void> {
    this.stop();
    this.most.set(most);
    this.limited.set(false);
    this.older = new Map();
    this.startedAt = Date.now() * 1000;
    const reading = new AbortController();
    this.reading = reading;
    const rows = new PodLogRows();
    const long = new LongLines();
    this.long = long;
    this.opened.set(address);
    this.current.set(rows);
    this.failure.set(null);
    this.omitted.set(0);
    this.known.set(new Map());
    this.podCount.set(null);
    this.ranks = new Map();
    this.aliases = new Map();
    this.received = 0;
    this.joinedCount = 0;
    this.storedPlaces = new Map();
    this.status.set('opening');
    try {
      for await (const events of this.events.read<PodLogEvent>(urlOf(address, this.tail()), reading.signal)) {
        if (this.reading !== reading) return;
        this.status.set('open');
        this.note(events);
        rows.add(this.linesOf(events, long));
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

  /** The number of a container; undefined if no line of it is known. */
  numberOf(pod: string, container: string): number | undefined {
    const address = this.opened();
    if (address && 'pod' in address) return 0;
    return [...this.known().values()].find((each) => each.pod === pod && each.container === container)
      ?.source;
  }

  /** Stored lines as lines of this log, the newest first. */
  joined(stored: readonly { line: LogLine; pod: string; container: string }[]): LogLine[] {
    return stored.map(({ line, pod, container }) => {
      const source = this.numberOf(pod, container) ?? FIRST_STORED + this.known().size;
      if (this.numberOf(pod, container) === undefined) {
        const gone = { pod, container, shared: false, waiting: null, gone: true, problem: null };
        this.known.update((known) => new Map([...known, [source, { source, ...gone }]]));
      }
      this.joinedCount += 1;
      const seq = -this.joinedCount;
      if (line.isCut) this.storedPlaces.set(seq, { source: line.source, seq: line.seq });
      return { ...line, source, stream: null, seq };
    });
  }

  private note(events: readonly PodLogEvent[]): void {
    const sources = events.filter((event) => event.type === 'source');
    for (const each of sources) {
      // Stored lines came first, or the Pod was created again with the same name.
      const before = this.numberOf(each.pod, each.container);
      const source = before ?? each.source;
      if (source !== each.source) this.aliases.set(each.source, source);
      const there = this.known().get(source);
      const isOther = source !== each.source;
      const one = isOther && each.gone && there?.gone === false ? there : { ...each, source };
      this.known.update((known) => new Map([...known, [source, one]]));
    }
    for (const event of events) {
      if (event.type === 'left_out') this.omitted.update((count) => count + event.lines);
      else if (event.type === 'pods') this.podCount.set(event);
    }
  }

  private linesOf(events: readonly PodLogEvent[], long: LongLines): LogLine[] {
    const lines: LogLine[] = [];
    for (const event of events) {
      if (event.type !== 'line') continue;
      const { source: given = 0, line } = event;
      const source = this.aliases.get(given) ?? given;
      const { level, text, cut, continues } = line;
      const time = microseconds(line.time);
      const rank = Math.max(time, this.ranks.get(given) ?? 0);
      this.ranks.set(given, rank);
      if (time < this.startedAt) this.older.set(given, (this.older.get(given) ?? 0) + 1);
      const seq = this.received;
      this.received += 1;
      const isCut = cut > 0 || text.length > MAX_LINE_LENGTH;
      if (isCut) long.add(seq, { text, cut });
      const shown = truncated(text);
      lines.push({
        kind: 'line',
        source,
        seq,
        time,
        rank,
        stream: null,
        level,
        text: shown,
        continues,
        isCut,
      });
    }
    // New lines do not count, however many there are.
    if ([...this.older.values()].some((count) => count >= this.tail())) this.limited.set(true);
    return lines;
  }
}

function urlOf(address: PodLogAddress | WorkloadLogAddress, tail: number): string {
  if ('workload' in address) {
    const { key, namespace, workload } = address;
    return apiUrl('/api/v1/clusters/{name}/pods/{namespace}/logs', { ...key, namespace, workload, tail });
  }
  const { key, ...pod } = address;
  return apiUrl('/api/v1/clusters/{name}/pods/{namespace}/{pod}/logs', {
    ...key,
    ...pod,
    follow: true,
    tail,
  });
}
