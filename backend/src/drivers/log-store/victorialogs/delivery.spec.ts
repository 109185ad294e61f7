import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { waitFor } from '../../../../../test/support/wait-for.js';
import type { LogStore } from '../log-store.js';
import type { NewLogLine } from '../log-line.js';
import type { SourceIdentity } from '../log-source.js';
import { openVictoriaLogsStore, type VictoriaLogsOptions } from './victoria-logs-store.js';

const TIMES = { durableMs: 60, visibleMs: 40, retryMs: 20 };
const IDENTITY = { key: 'container/docker/web', kind: 'container', name: 'web' } as SourceIdentity;

function newLine(text: string): NewLogLine {
  return { time: Date.now() * 1000, stream: null, level: null, text, cut: 0, continues: false };
}

interface StoredRow {
  source: number;
  seq: number;
  block: number;
}

/** Accepts rows and responds to the queries of a delivery. Any other request fails the test. */
class FakeDatabase {
  readonly rows: StoredRow[] = [];
  readonly authorizations = new Set<string | undefined>();
  readonly unexpected: string[] = [];
  /** Replaces the response to inserts; rows are stored if it returns true. */
  onInsert: (response: ServerResponse) => boolean = (response) => {
    response.end();
    return true;
  };
  /** Replaces the response to queries if it returns true. */
  onQuery: (response: ServerResponse) => boolean = () => false;
  inserts = 0;
  /** Queries for whole lines. */
  reads = 0;
  private readonly server: Server = createServer((request, response) => void this.serve(request, response));

  async listen(port = 0): Promise<void> {
    await new Promise<void>((resolve) => this.server.listen(port, '127.0.0.1', resolve));
  }

  get url(): URL {
    return new URL(`http://127.0.0.1:${(this.server.address() as AddressInfo).port}`);
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.authorizations.add(request.headers.authorization);
    let body = '';
    for await (const chunk of request as AsyncIterable<Buffer>) body += chunk.toString('utf8');
    if (request.url === '/insert/jsonline?_stream_fields=store,source') {
      this.inserts += 1;
      const rows = body.split('\n').filter((line) => line !== '');
      if (this.onInsert(response)) this.rows.push(...rows.map((row) => JSON.parse(row) as StoredRow));
    } else if (request.url === '/select/logsql/query') {
      if (this.onQuery(response)) return;
      response.end(this.responseTo(new URLSearchParams(body).get('query') ?? ''));
    } else {
      this.unexpected.push(request.url ?? '');
      response.writeHead(404).end();
    }
  }

  private responseTo(query: string): string {
    if (query.endsWith('_time:<1970-01-01T00:00:00.000001000Z | limit 1')) return '';
    const [, from = NaN, to = NaN] = /block:>=(\d+) block:<=(\d+)/.exec(query) ?? [];
    const found = this.rows.filter(({ block }) => block >= Number(from) && block <= Number(to));
    if (query.endsWith('| fields source, seq')) {
      return found.map((row) => `${JSON.stringify(row)}\n`).join('');
    }
    if (query.endsWith('| stats by (source) count_uniq(seq) as lines')) {
      const lines = new Set(found.map(({ seq }) => seq)).size;
      return lines === 0 ? '' : `{"source":"1","lines":"${lines}"}\n`;
    }
    if (query.includes('| sort by (seq)')) this.reads += 1;
    else this.unexpected.push(query);
    return '';
  }
}

describe('delivery to VictoriaLogs', () => {
  let database: FakeDatabase;
  let folder: string;
  let store: LogStore;
  let id: number;

  beforeEach(async () => {
    database = new FakeDatabase();
    await database.listen();
    folder = mkdtempSync(join(tmpdir(), 'slipway-delivery-'));
    await open();
  });

  afterEach(async () => {
    database.onInsert = (response) => Boolean(response.end());
    await store.close();
    await database.close();
    rmSync(folder, { recursive: true, force: true });
    expect(database.unexpected).toEqual([]);
  });

  async function open(options: VictoriaLogsOptions = {}, url = database.url): Promise<void> {
    store = await openVictoriaLogsStore(url, folder, { times: TIMES, ...options });
    id = store.source(IDENTITY);
  }

  function append(count: number): void {
    for (let n = 0; n < count; n += 1) store.append(id, [newLine(`line ${n} ${'x'.repeat(100)}`)]);
  }

  async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
    await waitFor(condition, condition.toString());
  }

  function seqs(): number[] {
    return database.rows.map(({ seq }) => seq).sort((one, other) => one - other);
  }

  it('sends each line once while the database works', async () => {
    append(3);
    await until(() => database.rows.length === 3);
    append(2);
    await until(() => database.rows.length === 5 && store.status().pendingBytes === 0);
    expect(seqs()).toEqual([1, 2, 3, 4, 5]);
    expect(store.status()).toMatchObject({ state: 'ok', reason: null, discardedLines: 0 });
  });

  it('sends only missing lines again after the database lost some that it acknowledged', async () => {
    append(10);
    await until(() => database.rows.length === 10);
    database.rows.splice(2, 5);
    await until(() => database.rows.length === 10);
    expect(seqs()).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  });

  it.each([
    ['stored them', true],
    ['did not store them', false],
  ])('checks the lines of a failed insert, and duplicates nothing if the database %s', async (_, stores) => {
    database.onInsert = (response) => {
      response.writeHead(503).end('overloaded');
      return stores;
    };
    append(4);
    await until(() => store.status().state === 'degraded');
    expect(store.status().reason).toContain('status 503: overloaded');
    database.onInsert = (response) => Boolean(response.end());
    await until(() => store.status().pendingBytes === 0);
    append(1);
    await until(() => store.status().pendingBytes === 0 && database.rows.length >= 5);
    expect(seqs()).toEqual([1, 2, 3, 4, 5]);
  });

  it('reports unavailable while queries fail, keeps lines, and recovers', async () => {
    database.onQuery = (response) =>
      Boolean(response.writeHead(400).end('cannot execute query [x]: no route'));
    append(2);
    await until(() => store.status().state === 'unavailable');
    expect(store.status().reason).toMatch(/does not respond to queries: no route\./);
    append(2);
    database.onQuery = () => false;
    await until(() => store.status().state === 'ok' && database.rows.length === 4);
  });

  it.each([
    ['a status of 500', (response: ServerResponse) => response.writeHead(500).end('broken')],
    ['no JSON', (response: ServerResponse) => response.end('<html>\n')],
    ['JSON that is no object', (response: ServerResponse) => response.end('7\n')],
    ['a row without a number', (response: ServerResponse) => response.end('{"source":"1"}\n')],
    ['a row that does not end', (response: ServerResponse) => response.end(`{"a":"${'x'.repeat(3_000_000)}`)],
    ['a connection that breaks', (response: ServerResponse) => response.destroy()],
  ])('fails reads with storage_unavailable if the database responds with %s', async (_, respond) => {
    append(3);
    await until(() => database.rows.length === 3);
    await until(async () => {
      await store.lines(id, 1, 10);
      return database.reads > 0;
    });
    database.onQuery = (response) => {
      respond(response);
      return true;
    };
    await expect(store.lines(id, 1, 10)).rejects.toMatchObject({ code: 'storage_unavailable' });
    database.onQuery = () => false;
  });

  it('counts lines as discarded that the database acknowledges and never keeps', async () => {
    database.onInsert = (response) => {
      response.end();
      return false;
    };
    append(2);
    await until(() => store.status().discardedLines === 2);
    expect(database.inserts).toBe(3);
    expect(store.status()).toMatchObject({ state: 'ok', pendingBytes: 0 });
  });

  it('discards and counts the oldest lines when the spool is full, without waiting', async () => {
    await store.close();
    database.onInsert = (response) => {
      response.writeHead(503).end();
      return false;
    };
    await open({ spoolBytes: 10_000 });
    for (let round = 0; round < 10; round += 1) {
      append(10);
      await store.flush();
    }
    await store.room();
    const { discardedLines, pendingBytes } = store.status();
    expect(pendingBytes).toBeLessThanOrEqual(10_000);
    expect(discardedLines).toBeGreaterThan(30);
    const [oldest] = await store.lines(id, discardedLines + 1, 1);
    expect(oldest?.seq).toBe(discardedLines + 1);
  });

  it('sends lines of an earlier process that are missing, and no others', async () => {
    append(3);
    await store.flush();
    await until(() => database.rows.length === 3);
    await store.close();
    database.rows.splice(0, 1);
    await open();
    append(1);
    await until(() => database.rows.length === 4);
    expect(seqs()).toEqual([1, 2, 3, 4]);
  });

  it('sends credentials as a header, and shows them nowhere', async () => {
    await store.close();
    const url = new URL(database.url);
    Object.assign(url, { username: 'me', password: 'p@ss word' });
    database.onQuery = (response) => Boolean(response.writeHead(401).end('who are you'));
    await open({}, url);
    append(1);
    await until(() => store.status().state === 'unavailable');
    expect(database.authorizations).toContain(`Basic ${Buffer.from('me:p@ss word').toString('base64')}`);
    expect(JSON.stringify(store.status())).not.toMatch(/p@ss|p%40ss|me:/);
    database.onQuery = () => false;
  });
});
