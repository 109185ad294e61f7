import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { LogStoreAccess } from '../../backend/src/modules/log-sources/log-store-access.js';
import { StoreSink } from '../../backend/src/modules/log-sources/store-sink.js';
import { LineBus } from '../../backend/src/modules/log-sources/line-bus.js';
import type { HistogramDto, SearchResultDto } from '../../backend/src/modules/log-search/search.dto.js';
import { SourceRegistry } from '../../backend/src/modules/log-sources/source-registry.js';
import { signIn, type SignedIn } from '../support/app/signed-in.js';
import { startLogBoard, type TestApp } from '../support/app/start-app.js';
import { identityOf, newLine } from '../support/logs/lines.js';

describe('lines by their stream', () => {
  let board: TestApp;
  let session: SignedIn;

  beforeAll(async () => {
    board = await startLogBoard({ environment: { APP_LOG_INTAKE: 'off' } });
    session = await signIn(board);
    const registry = board.nest.get(SourceRegistry);
    const history = await board.nest.get(LogStoreAccess).get();
    const sink = new StoreSink(history, board.nest.get(LineBus), registry, 14);
    const { id } = registry.ensure(identityOf('shop'));
    const lines = (['stdout', 'stderr', null, 'stdout'] as const).map((stream, index) => ({
      ...newLine(`${index} ${stream ?? 'terminal'}`, Date.now() * 1000 + index),
      stream,
    }));
    sink.append(id, lines);
  });

  afterAll(() => board.stop());

  it.each([
    ['', ['3 stdout', '2 terminal', '1 stderr', '0 stdout']],
    ['stream=stdout', ['3 stdout', '0 stdout']],
    ['stream=stderr', ['1 stderr']],
    ['stream=stdout,stderr', ['3 stdout', '1 stderr', '0 stdout']],
    ['stream=stderr&q=stdout', []],
  ])('are found, counted and exported: ?%s', async (query, texts) => {
    const headers = { ...session.bearer, accept: 'application/json' };
    const get = (path: string): ReturnType<typeof board.client.send> =>
      board.client.send('GET', `/api/${path}?${query}`, { headers });
    const { matches } = (await get('search')).body as SearchResultDto;
    expect(matches.map(({ text }) => text)).toEqual(texts);
    const { buckets } = (await get('histogram')).body as HistogramDto;
    expect(buckets.reduce((sum, { total }) => sum + total, 0)).toBe(texts.length);
    const { text } = await get('export');
    expect(text.split('\n').filter(Boolean)).toHaveLength(texts.length);
  });
});
