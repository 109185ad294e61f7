import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { LogStore } from '../../backend/src/drivers/log-store/index.js';
import type { AlertPreviewDto } from '../../backend/src/modules/log-alerts/alert.dto.js';
import { LogStoreAccess } from '../../backend/src/modules/log-sources/index.js';
import { AlertApiBench } from '../support/app/alert-api-bench.js';
import { expectError } from '../support/app/error-response.js';

const SECOND_US = 1_000_000;
const HOUR_US = 3600 * SECOND_US;
const POD = {
  kind: 'pod',
  ...{ runtime: 'docker', cluster: 'dev', namespace: 'shop', workload: 'Deployment/api' },
  ...{ container: null, role: 'main', service: null, previous: null },
} as const;

describe('POST /api/alerts/preview', () => {
  let bench: AlertApiBench;
  let store: LogStore;
  let start: number;
  const preview = async (body: object): Promise<AlertPreviewDto> =>
    (await bench.send('POST', '/api/alerts/preview', body)).body as AlertPreviewDto;

  /** One error per second. */
  function write(id: number, hoursAgo: number, count: number, more: object = {}): void {
    const first = start - hoursAgo * HOUR_US;
    const line = {
      stream: 'stderr',
      level: 'error',
      text: 'payment 7 failed',
      cut: 0,
      continues: false,
    } as const;
    store.append(
      id,
      Array.from({ length: count }, (_, at) => ({ ...line, time: first + at * SECOND_US, ...more })),
    );
  }

  beforeAll(async () => {
    bench = await AlertApiBench.open();
    store = await bench.board.nest.get(LogStoreAccess, { strict: false }).get();
    start = Date.now() * 1000;
    const api = store.source({ ...POD, key: 'pod/docker/dev/1/api', name: 'api-1' });
    const web = store.source({
      ...POD,
      key: 'pod/docker/dev/2/web',
      name: 'web-1',
      workload: 'Deployment/web',
    });
    write(api, 30, 20);
    write(api, 5, 5);
    write(api, 4, 4);
    write(api, 3, 200);
    write(api, 2, 50, { continues: true });
    write(web, 1, 5, { text: 'GET / 500 in 7 ms' });
  });

  afterAll(() => bench.close());

  it('counts firings of the last 24 hours by threshold, window and cooldown', async () => {
    const errors = { query: { level: ['error'] }, threshold: 5 };
    const all = await preview(errors);
    // Once for five lines, once for 200 in less than the cooldown, and once for the other Pod.
    expect([all.fired, all.lines, all.reason]).toEqual([3, 214, 'complete']);
    expect(Date.parse(all.last_fired_at ?? '') * 1000).toBeCloseTo(start - HOUR_US + 4 * SECOND_US, -5);
    expect(Date.parse(all.since ?? '') * 1000).toBeGreaterThanOrEqual(start - 24 * HOUR_US - 1000);
    const counts = async (more: object): Promise<number> => (await preview({ ...errors, ...more })).fired;
    expect(await counts({ quiet_seconds: 60 })).toBe(6);
    expect(await counts({ window_seconds: 3 })).toBe(0);
    expect(await counts({ threshold: 201 })).toBe(0);
  });

  it('evaluates the query, its regex and the sources as the alert does', async () => {
    const counts = async (more: object): Promise<number> => (await preview({ threshold: 5, ...more })).fired;
    expect(await counts({ sources: { workload: 'web' } })).toBe(1);
    expect(await counts({ sources: { cluster: 'prod' } })).toBe(0);
    expect(await counts({ query: { query: 'pod:web' } })).toBe(1);
    expect(await counts({ query: { text: 'get / \\d+', regex: true } })).toBe(1);
    expect(await counts({ query: { query: '-payment' } })).toBe(1);
    // Frames count if the query searches their text.
    expect((await preview({ query: { text: 'payment' } })).lines).toBe(259);
    const invalid = await bench.send('POST', '/api/alerts/preview', { query: { text: '(', regex: true } });
    expectError(invalid, 400, 'search_invalid');
  });

  it('says since when lines are stored', async () => {
    const { fired, since, last_fired_at } = await preview({ sources: { workload: 'web' }, threshold: 9 });
    expect([fired, last_fired_at]).toEqual([0, null]);
    expect(Date.parse(since ?? '') * 1000).toBeCloseTo(start - HOUR_US, -5);
  });

  it('saves nothing', async () => {
    expect((await bench.send('GET', '/api/alerts')).body).toEqual([]);
  });
});
