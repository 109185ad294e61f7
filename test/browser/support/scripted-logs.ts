import type { Page, Route, WebSocketRoute } from '@playwright/test';
import type { LogStoreHealth } from '../../../backend/src/modules/log-sources/log-store.dto.js';
import type { LogSourceDto } from '../../../backend/src/modules/log-sources/log-source.dto.js';
import type { WireLine } from '../../../backend/src/modules/log-lines/wire-line.js';
import type { ClientMessage, ServerMessage } from '../../../backend/src/modules/log-live/socket-messages.js';

/** Lines per second of the scripted sources. */
const STEP_MICROS = 1000;

export interface ScriptedSource {
  id: number;
  more: Partial<LogSourceDto>;
  /** Number of lines; the text of each depends on its number. */
  count: number;
  line: (seq: number) => string;
  level: (seq: number) => WireLine[3];
}

/**
 * Scripted responses of the log board for lines: sources of any length whose line N contains its number. Sign-in and
 * everything else is real.
 */
export class ScriptedLogs {
  readonly sources: ScriptedSource[] = [];
  readonly requests: string[] = [];
  /** A regex whose search times out. */
  slow: string | null = null;
  private storeHealth: LogStoreHealth = { open: true, state: 'ok', reason: null, notice: null };
  private readonly sockets = new Set<WebSocketRoute>();
  private readonly subscribed = new Map<number, number>();

  /** @param began the time of the first line, in microseconds */
  constructor(readonly began = Date.UTC(2026, 10, 21, 9, 0, 0) * 1000) {}

  add(
    more: Partial<LogSourceDto> & { name: string },
    count: number,
    line?: (seq: number) => string,
  ): ScriptedSource {
    const id = this.sources.length + 1;
    const source: ScriptedSource = {
      id,
      more,
      count,
      line: line ?? ((seq) => `line ${seq} of ${more.name}`),
      level: (seq) => (seq % 100 === 0 ? 'error' : 'info'),
    };
    this.sources.push(source);
    return source;
  }

  /** Call it before the page is opened. */
  async serve(page: Page): Promise<void> {
    await page.routeWebSocket(/\/ws(\?|$)/, (socket) => this.connect(socket));
    await page.route(/\/api\/lines\?/, (route) => this.merged(route));
    await page.route(/\/api\/sources\/\d+\/lines\/\d+$/, (route) => this.detail(route));
    await page.route(/\/api\/search\?/, (route) => this.search(route));
    await page.route(/\/api\/histogram\?/, (route) => this.histogram(route));
  }

  /** Pushes a state of the log store. */
  setStoreHealth(health: Partial<LogStoreHealth>): void {
    this.storeHealth = { open: true, state: 'ok', reason: null, notice: null, ...health };
    this.send({ type: 'log_store', ...this.storeHealth });
  }

  /** Adds lines to a source, and pushes them to its subscribers. */
  write(source: ScriptedSource, count: number): void {
    const from = source.count + 1;
    source.count += count;
    if (!this.subscribed.has(source.id)) return;
    for (let first = from; first <= source.count; first += 500) {
      const lines = numbers(first, Math.min(source.count, first + 499)).map((seq) => this.wire(source, seq));
      this.send({ type: 'lines', source: source.id, lines });
    }
    this.subscribed.set(source.id, source.count);
  }

  /** Changes the state of a source. */
  change(source: ScriptedSource, more: Partial<LogSourceDto>): void {
    Object.assign(source.more, more);
    this.send({ type: 'sources', whole: false, sources: [this.record(source)], gone: [] });
  }

  /** Deletes the history of a source. */
  forget(source: ScriptedSource): void {
    this.sources[this.sources.indexOf(source)] = { ...source, count: 0 };
    this.send({ type: 'sources', whole: false, sources: [], gone: [source.id] });
  }

  private connect(socket: WebSocketRoute): void {
    this.sockets.add(socket);
    // A page that was left has no subscriptions.
    socket.onClose(() => {
      this.sockets.delete(socket);
      if (this.sockets.size === 0) this.subscribed.clear();
    });
    socket.onMessage((data) => {
      this.receive(JSON.parse(String(data)) as ClientMessage);
    });
    const expires_at = new Date(Date.now() + 3_600_000).toISOString();
    this.send({ type: 'hello', version: 1, session: { id: 'scripted', expires_at } });
    this.send({ type: 'log_store', ...this.storeHealth });
  }

  private receive(message: ClientMessage): void {
    if (message.type === 'watch_sources') {
      this.send({
        type: 'sources',
        whole: true,
        sources: this.sources.map((source) => this.record(source)),
        gone: [],
      });
    }
    if (message.type === 'ping') this.send({ type: 'pong' });
    if (message.type === 'unsubscribe') this.subscribed.delete(message.source);
    if (message.type !== 'subscribe') return;
    const source = this.find(message.source);
    const from = (message.after ?? source.count) + 1;
    this.send({ type: 'subscribed', source: source.id, from, run: 1 });
    const lines = numbers(from, source.count).map((seq) => this.wire(source, seq));
    if (lines.length > 0) this.send({ type: 'lines', source: source.id, lines });
    this.subscribed.set(source.id, source.count);
  }

  private send(message: ServerMessage): void {
    for (const socket of this.sockets) socket.send(JSON.stringify(message));
  }

  private find(id: number): ScriptedSource {
    const source = this.sources.find((known) => known.id === id);
    if (!source) throw new Error(`there is no source ${id} in the script`);
    return source;
  }

  /** The lines of all sources alternate: line n of each is written in millisecond n. */
  private time(seq: number): number {
    return this.began + seq * STEP_MICROS;
  }

  private wire(source: ScriptedSource, seq: number): WireLine {
    return [seq, this.time(seq), 1, source.level(seq), source.line(seq), 0];
  }

  private async merged(route: Route): Promise<void> {
    const url = new URL(route.request().url());
    this.requests.push(url.search);
    const chosen = (url.searchParams.get('sources') ?? '').split(',').map((id) => this.find(Number(id)));
    const limit = Number(url.searchParams.get('limit') ?? 200);
    const end = chosen.reduce((sum, source) => sum + source.count, 0) + 1;
    const position = this.placeOf(url.searchParams, chosen, limit, end);
    const lines = numbers(position, Math.min(end - 1, position + limit - 1)).map((at) =>
      this.lineAt(at, chosen),
    );
    await route.fulfill({ json: { position, first: 1, end, lines } });
  }

  private placeOf(wanted: URLSearchParams, chosen: ScriptedSource[], limit: number, end: number): number {
    const position = wanted.get('position');
    if (position !== null) return Math.max(1, Number(position));
    const at = wanted.get('at');
    const source = wanted.get('source');
    if (at === null && source === null) return Math.max(1, end - limit);
    const seq = at === null ? Number(wanted.get('seq')) : this.seqAt(at);
    const centre = this.positionOf(source === null ? (chosen[0]?.id ?? 0) : Number(source), seq, chosen);
    return Math.max(1, Math.min(centre - Math.floor(limit / 2), end - limit));
  }

  private seqAt(time: string): number {
    return Math.max(1, Math.round((Date.parse(time) * 1000 - this.began) / STEP_MICROS));
  }

  private positionOf(id: number, seq: number, chosen: ScriptedSource[]): number {
    const before = chosen.reduce((sum, source) => sum + Math.min(source.count, seq - 1), 0);
    return before + chosen.filter((source) => source.count >= seq && source.id < id).length + 1;
  }

  private lineAt(position: number, chosen: ScriptedSource[]): [number, ...WireLine] {
    let low = 1;
    let high = Math.max(...chosen.map(({ count }) => count));
    const upTo = (seq: number): number => chosen.reduce((sum, { count }) => sum + Math.min(count, seq), 0);
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      if (upTo(middle) >= position) high = middle;
      else low = middle + 1;
    }
    const there = chosen.filter(({ count }) => count >= low).sort((one, other) => one.id - other.id);
    const source = there[position - upTo(low - 1) - 1];
    if (!source) throw new Error(`there is no line at position ${position}`);
    return [source.id, ...this.wire(source, low)];
  }

  private dto(source: ScriptedSource, seq: number): Record<string, unknown> {
    return {
      source: source.id,
      seq,
      time: new Date(this.time(seq) / 1000).toISOString(),
      stream: 'stdout',
      level: source.level(seq),
      text: source.line(seq),
      cut: 0,
      continues: false,
    };
  }

  private async detail(route: Route): Promise<void> {
    const [, id, seq] = /sources\/(\d+)\/lines\/(\d+)$/.exec(route.request().url()) ?? [];
    const source = this.find(Number(id));
    const words = [...source.line(Number(seq)).matchAll(/(\w+)=(\S+)/g)];
    const pairs = words.map(([, name = '', value = '']) => ({ name, value }));
    const fields = Object.fromEntries(pairs.map(({ name, value }) => [name, value]));
    const format = pairs.length > 0 ? 'logfmt' : null;
    await route.fulfill({
      json: { ...this.dto(source, Number(seq)), format, fields, pairs, position: Number(seq) },
    });
  }

  private async search(route: Route): Promise<void> {
    const wanted = new URL(route.request().url()).searchParams;
    this.requests.push(wanted.toString());
    const text = wanted.get('q') ?? '';
    const isSlow = text === this.slow;
    const limit = Number(wanted.get('limit') ?? 500);
    const ids = isSlow ? [] : this.searched(wanted);
    const events: object[] = [];
    let searched = 0;
    for (const id of ids) {
      const source = this.find(id);
      const [first, last] = this.rangeOf(source, wanted);
      for (let seq = last; seq >= first && events.length < limit; seq -= 1) {
        searched += 1;
        if (this.fits(source, seq, wanted)) events.push({ type: 'match', line: this.dto(source, seq) });
      }
    }
    const matched = events.length;
    const found = matched >= limit ? 'limit' : 'complete';
    const reason = isSlow ? 'timeout' : found;
    const end = { searched, matched, reason, searched_to: null, before: null };
    if (route.request().headers()['accept']?.startsWith('application/json')) {
      const matches = events.map((event) => (event as { line: unknown }).line);
      await route.fulfill({ json: { ...end, matches } });
      return;
    }
    events.push({ type: 'end', ...end });
    await route.fulfill({
      contentType: 'application/x-ndjson',
      body: events.map((event) => `${JSON.stringify(event)}\n`).join(''),
    });
  }

  /** Without ids, all sources. */
  private searched(wanted: URLSearchParams): number[] {
    return wanted.get('sources')?.split(',').map(Number) ?? this.sources.map(({ id }) => id);
  }

  /** Numbers of the oldest and the newest line in the time range of a search. */
  private rangeOf(source: ScriptedSource, wanted: URLSearchParams): [first: number, last: number] {
    const from = wanted.get('from');
    const to = wanted.get('to');
    const before = wanted.get('before')?.split('.').map(Number);
    const at = (time: string): number => (micros(time) - this.began) / STEP_MICROS;
    const ends = [source.count];
    if (to?.includes('T')) ends.push(Math.ceil(at(to)) - 1);
    if (before?.[1] === source.id) ends.push((before[2] ?? 1) - 1);
    else if (before) throw new Error('the script goes on within one source alone');
    const span = /^(\d+)([mh])$/.exec(from ?? '');
    const age = Number(span?.[1] ?? 0) * (span?.[2] === 'h' ? 3600 : 60);
    const start = span ? new Date(Date.now() - age * 1000).toISOString() : from;
    return [start?.includes('T') ? Math.max(1, Math.ceil(at(start))) : 1, Math.min(...ends)];
  }

  private fits(source: ScriptedSource, seq: number, wanted: URLSearchParams): boolean {
    const levels = wanted.get('level')?.split(',');
    if (levels && !levels.includes(source.level(seq) ?? 'none')) return false;
    const text = source.line(seq);
    const query = wanted.get('q') ?? '';
    return wanted.get('regex') === 'true' ? new RegExp(query, 'iu').test(text) : text.includes(query);
  }

  private async histogram(route: Route): Promise<void> {
    const wanted = new URL(route.request().url()).searchParams;
    if (wanted.get('buckets') === '1') {
      await route.fulfill({ json: this.counted(wanted) });
      return;
    }
    const count = Number(wanted.get('buckets') ?? 60);
    const seconds = 10;
    const time = (index: number): string =>
      new Date(this.began / 1000 + index * seconds * 1000).toISOString();
    const buckets = numbers(0, count - 1).map((index) => {
      const error = index % 20 > 15 ? 9 : 0;
      const info = 40 + ((index * 37) % 50);
      return { time: time(index), total: info + error + 3, levels: { info, warn: 3, error } };
    });
    await route.fulfill({
      json: { from: time(0), to: time(count), bucket_seconds: seconds, buckets, reason: 'complete' },
    });
  }

  /** All matches in one bucket. */
  private counted(wanted: URLSearchParams): object {
    let total = 0;
    for (const id of this.searched(wanted)) {
      const source = this.find(id);
      const [first, last] = this.rangeOf(source, wanted);
      for (let seq = first; seq <= last; seq += 1) if (this.fits(source, seq, wanted)) total += 1;
    }
    const time = new Date(this.began / 1000).toISOString();
    const buckets = [{ time, total, levels: { info: total } }];
    return { from: time, to: time, bucket_seconds: 1, buckets, reason: 'complete' };
  }

  private record(source: ScriptedSource): LogSourceDto {
    const { name } = source.more;
    return {
      id: source.id,
      key: `container/docker/${name}`,
      kind: 'container',
      runtime: 'docker',
      cluster: null,
      namespace: null,
      workload: null,
      name: name ?? '',
      container: null,
      role: null,
      service: null,
      previous: null,
      state: 'live',
      reason: null,
      first_seq: 1,
      next_seq: source.count + 1,
      bytes: source.count * 20,
      first_time: null,
      last_time: null,
      rate: 12,
      ...source.more,
    };
  }
}

function numbers(from: number, to: number): number[] {
  return Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => from + index);
}

/** Microseconds since the epoch for an RFC 3339 time. */
function micros(time: string): number {
  return Date.parse(time) * 1000 + Number(/\.\d{3}(\d{3})/.exec(time)?.[1] ?? 0);
}
