import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { CompletionsDto } from '../../backend/src/modules/log-search/line-groups.dto.js';
import type { HistogramDto, SearchResultDto } from '../../backend/src/modules/log-search/search.dto.js';
import { LogBoardBench, named } from '../support/app/log-board-bench.js';
import { waitFor } from '../support/wait-for.js';

describe('stored lines', () => {
  let bench: LogBoardBench;

  beforeAll(async () => {
    bench = await LogBoardBench.open('shop');
  });

  afterAll(() => bench.close());

  it('survive a restart, without gaps and duplicates', async () => {
    const before = await bench.source(named('postgres'), 200);
    const newest = (await bench.page(before.id, '?limit=50')).lines;
    await bench.board.stop();
    await bench.start();
    await bench.live(before.id);
    const after = await bench.source((one) => one.id === before.id, before.next_seq + 2);
    expect([after.key, after.first_seq]).toEqual([before.key, 1]);
    const from = newest[0]?.seq ?? 0;
    const { lines } = await bench.page(before.id, `?after=${from - 1}&limit=5000`);
    expect(lines.slice(0, 50)).toEqual(newest);
    const texts = lines.map(({ time, text }) => `${time} ${text}`);
    expect(new Set(texts).size).toBe(texts.length);
    const times = lines.map(({ time }) => time);
    expect(times).toEqual([...times].sort());
  });

  it('are found by a query with other parameters, and counted and exported by the same', async () => {
    const { id } = await bench.source(named('postgres'), 200);
    const query = encodeURIComponent(
      '(checkpoint OR /duration: \\d+/) -starting source:postgres level<=info',
    );
    const filter = `query=${query}&sources=${id}&without=complete&to=${encodeURIComponent(new Date().toISOString())}`;
    const { matches, reason } = await bench.get<SearchResultDto>(`/api/search?limit=10000&${filter}`);
    expect([matches.length > 0, reason]).toEqual([true, 'complete']);
    for (const { text, level } of matches) {
      expect(text).toMatch(/checkpoint|duration: \d+/i);
      expect(text).not.toMatch(/starting|complete/i);
      expect(['trace', 'debug', 'info']).toContain(level);
    }
    const { buckets } = await bench.get<HistogramDto>(`/api/histogram?buckets=3&${filter}`);
    expect(buckets.reduce((sum, { total }) => sum + total, 0)).toBe(matches.length);
    const exported = await bench.send('GET', `/api/export?${filter}`);
    expect(exported.text.trimEnd().split('\n')).toHaveLength(matches.length);
    expect((await bench.get<SearchResultDto>('/api/search?query=cluster:none')).matches).toEqual([]);
  });

  it('are those of applications or of the system with scope in a query', async () => {
    await bench.source(named('postgres'), 20);
    await bench.source(({ service }) => service === 'kubelet', 5);
    let to = '';
    const counted = async (query: string): Promise<number> => {
      const { buckets } = await bench.get<HistogramDto>(
        `/api/histogram?buckets=1&${to}&query=${encodeURIComponent(query)}`,
      );
      return buckets.reduce((sum, { total }) => sum + total, 0);
    };
    await waitFor(async () => {
      // Lines of the last second may still be stored between the requests.
      to = `to=${encodeURIComponent(new Date(Date.now() - 1000).toISOString())}`;
      const [apps, system] = [await counted('scope:apps'), await counted('scope:system')];
      return apps > 0 && system > 0 && apps + system === (await counted('-nothing-like-this'));
    }, 'each line to be of applications or of the system');
    expect(await counted('scope:apps (namespace:kube-system OR source:kubelet)')).toBe(0);
    expect(await counted('scope:apps source:postgres')).toBeGreaterThan(0);
  });

  const offers = async (query: string): Promise<Record<string, number>> => {
    const found = await bench.get<CompletionsDto>(`/api/completions?${query}`);
    return Object.fromEntries(found.completions.map(({ value, count }) => [value, count]));
  };

  it('complete a query with the names and values of those that match so far, with their numbers', async () => {
    const { id } = await bench.source(({ name }) => name.startsWith('api-'), 30);
    const of = `sources=${id}&to=${new Date().toISOString()}`;
    const names = await offers(of);
    expect(names['level']).toBeGreaterThanOrEqual(30);
    expect(names['pod']).toBe(names['level']);
    expect(Object.keys(await offers(`${of}&begin=LEV`))).toEqual(['level']);
    expect(Object.keys(await offers(`${of}&name=pod&begin=api`))).toHaveLength(1);
    const levels = await offers(`${of}&name=level&query=level:info`);
    expect(Object.keys(levels)).toEqual(['info']);
    expect(await offers(`${of}&name=no-such-field`)).toEqual({});
  });

  it('can be deleted, and do not reappear after a restart', async () => {
    const { id, next_seq } = await bench.source(named('redis-cache'), 50);
    const { status, body } = await bench.send('DELETE', `/api/sources/${id}/history`);
    expect([status, body]).toEqual([200, { lines: expect.any(Number), bytes: expect.any(Number) }]);
    expect((body as { lines: number }).lines).toBeGreaterThanOrEqual(next_seq - 1);
    expect((await bench.page(id, '?after=0')).first_seq).toBeGreaterThanOrEqual(next_seq);
    const after = await bench.source(named('redis-cache'));
    expect(after.first_seq).toBeGreaterThanOrEqual(next_seq);
    await bench.board.stop();
    await bench.start();
    const again = await bench.source((one) => one.id === id && one.state === 'live');
    expect(again.first_seq).toBeGreaterThanOrEqual(next_seq);
  });

  it('are shown with APP_LOG_INTAKE=off', async () => {
    await bench.board.stop();
    await bench.start({ APP_LOG_INTAKE: 'off' });
    const all = await bench.sources();
    expect(new Set(all.map(({ state }) => state))).toEqual(new Set(['gone']));
    const { id } = await bench.source(named('postgres'), 200);
    expect((await bench.page(id, '?limit=5')).lines).toHaveLength(5);
  });
});
