import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type {
  LogQuery,
  LogStore,
  NewLogLine,
  SearchEvent,
  SourceIdentity,
} from '../../backend/src/drivers/log-store/index.js';
import { HttpClient } from '../../backend/src/drivers/log-store/victorialogs/http-client.js';
import { openVictoriaLogsStore } from '../../backend/src/drivers/log-store/victorialogs/victoria-logs-store.js';
import { waitFor } from '../support/wait-for.js';
import { VictoriaLogs } from './support/victoria-logs.js';

jest.setTimeout(120_000);

/** Shorter than the defaults, and long enough for a single node on a busy machine. */
const TIMES = { durableMs: 3000, visibleMs: 2500, retryMs: 200 };
const START = Date.UTC(2026, 10, 21) * 1000;

function identityOf(name: string): SourceIdentity {
  const none = { cluster: null, namespace: null, workload: null, container: null, role: null, service: null };
  return {
    key: `container/docker/${name}`,
    kind: 'container',
    runtime: 'docker',
    name,
    previous: null,
    ...none,
  };
}

function newLine(text: string, time: number, more: Partial<NewLogLine> = {}): NewLogLine {
  return { time, stream: 'stdout', level: null, text, cut: 0, continues: false, ...more };
}

function queryOf(more: Partial<LogQuery>): LogQuery {
  const any = { text: null, regex: false, matchCase: false, without: [], levels: null, streams: null };
  return {
    sources: null,
    ...any,
    fields: [],
    withoutFields: [],
    condition: null,
    from: null,
    to: null,
    ...more,
  };
}

async function textsOf(store: LogStore, more: Partial<LogQuery>): Promise<string[]> {
  const events: SearchEvent[] = [];
  const search = { ...queryOf(more), order: 'oldest' as const, limit: 1000, cursor: null };
  for await (const event of store.search(search, new AbortController().signal)) events.push(event);
  expect(events.at(-1)).toMatchObject({ type: 'end', reason: 'complete' });
  return events.filter((event) => event.type === 'match').map(({ line }) => line.text);
}

/** Rows of a database with a word, and how many different lines they are. */
async function countsOf({ url }: VictoriaLogs, word = '*'): Promise<{ rows: number; lines: number }> {
  const client = new HttpClient(url);
  try {
    const query = `${word} | stats count() as rows, count_uniq(store, source, seq) as lines`;
    const [row] = await client.rows(query, { timeoutMs: 10_000 });
    return { rows: Number(row?.['rows']), lines: Number(row?.['lines']) };
  } finally {
    client.close();
  }
}

async function seqsOf(store: LogStore, id: number): Promise<number[]> {
  const seqs: number[] = [];
  for (let next = 1; ; next = (seqs.at(-1) ?? 0) + 1) {
    const lines = await store.lines(id, next, 5000);
    if (lines.length === 0) return seqs;
    seqs.push(...lines.map(({ seq }) => seq));
  }
}

function numbers(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index + 1);
}

describe('the VictoriaLogs store with a single node', () => {
  let node: VictoriaLogs;
  let folder: string;
  let store: LogStore;

  beforeAll(async () => {
    node = await VictoriaLogs.node();
  });

  afterAll(() => node.discard());

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'slipway-spool-'));
    store = await open();
  });

  afterEach(async () => {
    await store.close();
    rmSync(folder, { recursive: true, force: true });
  });

  async function open(): Promise<LogStore> {
    return openVictoriaLogsStore(node.url, folder, { times: TIMES });
  }

  /** Until a store that is opened now would read nothing from its spool. */
  async function storedInDatabase(lines: number): Promise<void> {
    await waitFor(async () => (await countsOf(node)).lines >= lines, 'the lines', 20_000);
    await pause(TIMES.durableMs + 1500);
  }

  it('returns every line unchanged, from the spool and from the database', async () => {
    const texts = [
      '',
      ' ',
      '\t leading and trailing \u00a0',
      '(empty line)',
      'quotes " \' ` and \\ and | stats by (_time) {a="b"} #',
      '\u001b[31mred\u001b[0m',
      'a\u0001\u0002\u007f\u2028b',
      '日本語 🚀 é',
      '🚀'.repeat(32_768),
      '\u001b'.repeat(65_536),
      '{"_msg":"x","_time":"2020-01-01T00:00:00Z","level":"fatal","n":{"a":1}}',
      'missing _msg field; see https://docs.victoriametrics.com/',
    ];
    const id = store.source(identityOf('texts'));
    const lines = texts.map((text, index) =>
      newLine(text, START + (index % 3) * 1000 - index, {
        level: index % 2 === 0 ? null : 'error',
        stream: index % 3 === 0 ? null : 'stderr',
        cut: index,
        continues: index % 4 === 1,
      }),
    );
    store.append(id, lines);
    const expected = lines.map((line, index) => ({ ...line, seq: index + 1 }));
    const before = (await countsOf(node)).lines;
    expect(await store.lines(id, 1, 100)).toEqual(expected);
    await storedInDatabase(before + texts.length);
    expect(await store.lines(id, 1, 100)).toEqual(expected);
    for (const text of texts.slice(1, 8)) {
      const found = await textsOf(store, { sources: [id], text, matchCase: true });
      expect([text, found.toSorted()]).toEqual([text, texts.filter((one) => one.includes(text)).sort()]);
    }
    expect(await textsOf(store, { sources: [id], text: '^$', regex: true })).toEqual(['']);
  });

  it('counts and finds lines of the database and the spool, each once', async () => {
    const id = store.source(identityOf('counts'));
    const before = (await countsOf(node)).lines;
    const { signal } = new AbortController();
    for (let n = 0; n < 50; n += 1) store.append(id, [newLine(`Older ${n}`, START + n, { level: 'info' })]);
    await storedInDatabase(before + 50);
    for (let n = 50; n < 80; n += 1) store.append(id, [newLine(`newer ${n}`, START + n, { level: 'warn' })]);
    for (let check = 0; check < 8; check += 1) {
      const { buckets } = await store.histogram(queryOf({ sources: [id], text: 'er' }), 1, signal);
      expect(buckets[0]).toMatchObject({ total: 80, levels: { info: 50, warn: 30 } });
      expect(await textsOf(store, { sources: [id], text: 'OLDER' })).toHaveLength(50);
      expect(await seqsOf(store, id)).toEqual(numbers(80));
      await pause(1000);
    }
  });

  it('hides deleted lines, also from another store on the same folder', async () => {
    const id = store.source(identityOf('deleted'));
    const before = (await countsOf(node)).lines;
    store.append(id, [newLine('first', START), newLine('second', START)]);
    await storedInDatabase(before + 2);
    expect(await store.delete(id)).toEqual({ lines: 2, bytes: 11 });
    store.append(id, [newLine('third', START)]);
    await store.close();
    store = await open();
    expect(await textsOf(store, { sources: [id] })).toEqual(['third']);
    expect(store.extent(id)).toMatchObject({ firstSeq: 3, nextSeq: 4 });
  });

  it.each([
    ['a(?=b)', 'lookahead'],
    ['a(?!b)', 'negative lookahead'],
    ['(?<=a)b', 'lookbehind'],
    ['(a)\\1', 'backreference'],
    ['\\u0041', '\\u'],
    ['a(', 'missing closing )'],
    ['a{1,2000}', 'repeat count'],
  ])('rejects the regex %s with search_invalid and names the construct', async (text, construct) => {
    const id = store.source(identityOf('regex'));
    store.append(id, [newLine('ab', START)]);
    const failure = await textsOf(store, { sources: [id], text, regex: true }).catch(
      (error: unknown) => error,
    );
    expect(failure).toMatchObject({ code: 'search_invalid' });
    expect((failure as Error).message).toContain(construct);
  });

  it('loses and duplicates nothing when the store or the database restarts', async () => {
    const ids = numbers(3).map((n) => store.source(identityOf(`restart-${n}`)));
    let appended = 0;
    const write = async (rounds: number): Promise<void> => {
      for (let round = 0; round < rounds; round += 1) {
        for (const id of ids) store.append(id, [newLine(`restarting ${appended}`, START + appended)]);
        appended += 1;
        await pause(5);
      }
    };
    await write(100);
    await store.close();
    store = await open();
    await write(100);
    await node.end('SIGTERM');
    await write(100);
    await waitFor(() => store.status().state !== 'ok', 'a state other than ok');
    await store.close();
    store = await open();
    await write(20);
    await node.start();
    await write(100);
    const lines = appended * ids.length;
    await waitFor(
      async () => (await countsOf(node, 'restarting')).lines === lines,
      () => `${lines} lines`,
      30_000,
    );
    await pause(2 * TIMES.durableMs);
    expect(await countsOf(node, 'restarting')).toEqual({ rows: lines, lines });
    for (const id of ids) expect(await seqsOf(store, id)).toEqual(numbers(appended));
    expect(store.status()).toMatchObject({ state: 'ok', pendingBytes: 0, discardedLines: 0 });
  });
});

describe('the VictoriaLogs store with a cluster', () => {
  it('loses nothing after a storage node is killed under load, and reports that it cannot read meanwhile', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'slipway-spool-'));
    const nodes = await Promise.all([VictoriaLogs.node(), VictoriaLogs.node()]);
    const front = await VictoriaLogs.front(nodes);
    const store = await openVictoriaLogsStore(front.url, folder);
    try {
      const ids = numbers(4).map((n) => store.source(identityOf(`cluster-${n}`)));
      const [first = 0] = ids;
      let appended = 0;
      const began = performance.now();
      const write = async (untilMs: number): Promise<void> => {
        while (performance.now() - began < untilMs) {
          await pause(10);
          // 500 lines per second and source.
          const due = Math.floor((performance.now() - began) / 2) - appended;
          const lines = numbers(due).map((n) => newLine(`line ${appended + n}`, Date.now() * 1000));
          for (const id of ids) store.append(id, lines);
          appended += due;
        }
      };
      await write(13_000);
      await nodes[1].end('SIGKILL');
      await write(16_000);
      await expect(store.lines(first, 1, 10)).rejects.toMatchObject({ code: 'storage_unavailable' });
      expect(store.status()).toMatchObject({ state: 'unavailable', discardedLines: 0 });
      await write(17_000);
      await nodes[1].start();
      await write(22_000);
      const lines = appended * ids.length;
      expect(lines).toBeGreaterThan(35_000);
      const counted = async (): Promise<number> => (await countsOf(front).catch(() => ({ lines: 0 }))).lines;
      await waitFor(async () => (await counted()) === lines, `${lines} lines`, 60_000);
      for (const id of ids) expect(await seqsOf(store, id)).toEqual(numbers(appended));
      expect(store.status()).toMatchObject({ state: 'ok', discardedLines: 0 });
    } finally {
      await store.close();
      await front.discard();
      await Promise.all(nodes.map((node) => node.discard()));
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
