import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, get, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Response } from 'express';
import { identityOf, newLine, START } from '../../../../test/support/logs/lines.js';
import { openStore } from '../../../../test/support/logs/store.js';
import type { JournalService } from '../journal/index.js';
import type { LogStoreAccess, SourceRegistry } from '../log-sources/index.js';
import { MAX_LINE_LENGTH, type LogStore } from '../../drivers/log-store/index.js';
import { RegexLimit } from './regex-limit.js';
import { ExportsController } from './exports.controller.js';
import { ExportsService } from './exports.service.js';
import { ExportQueryDto } from './search-request.dto.js';

const EVIL_LINE = `${'a'.repeat(60)}!`;
/** Matches every line quickly except EVIL_LINE. */
const EVIL = '^(a+)+$|^kept';
/** 2.6 MB of lines, much more than a local connection buffers. */
const LINES = 40;

let folder: string;
let store: LogStore;
let service: ExportsService;
let server: Server;
let failure: unknown;

function query(more: Partial<ExportQueryDto>): ExportQueryDto {
  return Object.assign(new ExportQueryDto(), more);
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'export-'));
  store = await openStore(folder, { searchDeadlineMs: 1000 });
  const access: Pick<LogStoreAccess, 'get'> = { get: () => Promise.resolve(store) };
  const registry: Pick<SourceRegistry, 'find' | 'all'> = { find: () => undefined, all: () => [] };
  service = new ExportsService(access as LogStoreAccess, registry as SourceRegistry);
});

afterAll(async () => {
  await store.close();
  rmSync(folder, { recursive: true, force: true });
});

async function piecesOf(more: Partial<ExportQueryDto>): Promise<string[]> {
  const pieces: string[] = [];
  for await (const piece of await service.begin(query(more), new AbortController().signal)) {
    pieces.push(piece);
  }
  return pieces;
}

describe('ExportsService', () => {
  it.each([
    ['with the same time', 0],
    ['of the same second', 1000],
  ])('exports lines %s, oldest first, in bounded chunks', async (name, apart) => {
    const ids = [`${name}, a`, `${name}, b`].map((key) => store.source(identityOf(key)));
    const expected: string[] = [];
    for (let index = 0; index < 1200; index += 1) {
      for (const id of ids) {
        const text = `kept ${index} of ${id} ${'.'.repeat(index % 100 === 0 ? MAX_LINE_LENGTH - 50 : 400)}`;
        store.append(id, [newLine(text, START + index * apart)]);
      }
    }
    // Lines of the same time are sorted by source.
    const places = Array.from({ length: 1200 }, (_, index) => index);
    if (apart === 0) for (const id of ids) expected.push(...places.map((index) => `kept ${index} of ${id}`));
    else expected.push(...places.flatMap((index) => ids.map((id) => `kept ${index} of ${id}`)));

    for (const q of [{ q: 'KEPT' }, { q: '^kept [0-9]+', regex: true }, {}]) {
      const pieces = await piecesOf({ ...q, sources: ids.join() });
      const lines = pieces.join('').trimEnd().split('\n');
      expect(lines.map((line) => /kept \d+ of \d+/.exec(line)?.[0])).toEqual(expected);
      expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThan(128 * 1024 + 2 * MAX_LINE_LENGTH);
    }
  });

  it('fails before the first line if the regex times out', async () => {
    const id = store.source(identityOf('evil'));
    store.append(id, [newLine('kept', START), newLine(EVIL_LINE, START + 1)]);
    await expect(piecesOf({ q: EVIL, regex: true, sources: String(id) })).rejects.toMatchObject({
      code: 'search_timeout',
    });
    await expect(piecesOf({ q: '(', regex: true })).rejects.toMatchObject({ code: 'search_invalid' });
    await store.delete(id);
  });
});

describe('ExportsController', () => {
  beforeAll(async () => {
    const journal = { record: () => undefined } as unknown as JournalService;
    const controller = new ExportsController(service, new RegexLimit(), journal);
    server = createServer((request, response: ServerResponse) => {
      const { searchParams } = new URL(request.url ?? '', 'http://localhost');
      const more = Object.fromEntries(searchParams) as Partial<ExportQueryDto>;
      const wanted = query({ ...more, regex: true, gzip: searchParams.has('gzip') });
      controller.download(wanted, response as Response).catch((error: unknown) => (failure = error));
    });
    // A Unix socket: a TCP connection buffers megabytes.
    server.listen(join(folder, 'server'));
    await once(server, 'listening');
  });

  afterAll(() => void server.close());

  async function download(
    parameters: Record<string, string>,
  ): Promise<{ body: Buffer; isComplete: boolean }> {
    const search = new URLSearchParams(parameters).toString();
    const request = get({ socketPath: join(folder, 'server'), path: `/?${search}`, agent: false });
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    const chunks: Buffer[] = [];
    response.on('data', (chunk: Buffer) => void chunks.push(chunk));
    // An aborted response emits an error.
    response.on('error', () => undefined);
    await new Promise((resolve) => response.once('close', resolve));
    return { body: Buffer.concat(chunks), isComplete: response.complete };
  }

  it.each([
    ['ndjson', {}],
    ['text', { gzip: 'true' }],
  ])('ends an incomplete %s file with the error and aborts the response', async (format, more) => {
    const id = store.source(identityOf(`${format} ${Object.keys(more).join()}`));
    // Random, so that gzip does not make them smaller.
    const noise = randomBytes(MAX_LINE_LENGTH)
      .toString('base64')
      .slice(0, MAX_LINE_LENGTH - 20);
    const texts = Array.from({ length: LINES }, (_, index) => `kept ${index} ${noise}`);
    for (const [index, text] of texts.entries()) {
      store.append(id, [newLine(text, START + index * 1000)]);
      if (index % 20 === 0) await store.room();
    }
    const parameters = { sources: String(id), q: EVIL, format, ...more };
    if (format === 'ndjson') {
      expect((await download(parameters)).isComplete).toBe(true);
    }

    store.append(id, [newLine(EVIL_LINE, START + LINES * 1000)]);
    const { body, isComplete } = await download(parameters);
    expect(isComplete).toBe(false);
    expect(failure).toMatchObject({ code: 'search_timeout' });
    const lines = ('gzip' in more ? gunzipSync(body) : body).toString('utf8').split('\n');
    expect(lines.pop()).toBe('');
    const last = lines.pop() ?? '';
    if (format === 'ndjson') {
      expect(JSON.parse(last)).toEqual({
        error: { code: 'search_timeout', message: expect.stringMatching(/^The regex took too long/) },
      });
    } else {
      expect(last).toMatch(/^\[Slipway\] This file is incomplete\. The regex took too long/);
    }
    expect(lines.length).toBeGreaterThan(0);
    expect(lines.length).toBeLessThan(LINES);
    expect(lines.every((line, index) => line.includes(texts[index] ?? '!'))).toBe(true);
    await store.delete(id);
  });
});
