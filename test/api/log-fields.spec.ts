import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { HistogramDto, SearchResultDto } from '../../backend/src/modules/log-search/search.dto.js';
import type { LogSourceDto } from '../../backend/src/modules/log-sources/log-source.dto.js';
import type { ApiResponse, ErrorResponse } from '../support/app/api-client.js';
import { signIn, type SignedIn } from '../support/app/signed-in.js';
import { startLogBoard, type TestApp } from '../support/app/start-app.js';
import { waitFor } from '../support/wait-for.js';

describe('lines without the value of a field', () => {
  const FIELD = 'status:200';
  let folder: string;
  let board: TestApp;
  let session: SignedIn;
  /** Lines of a source that writes JSON, up to now. */
  let lines: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'slipway-fields-'));
    board = await startLogBoard({ dataDirectory: folder, environment: { APP_DEMO_SPEED: '20' } });
    session = await signIn(board);
    const hasLines = async (): Promise<boolean> => {
      const sources = (await get('/api/sources')).body as LogSourceDto[];
      const source = sources.find(({ name, next_seq }) => name === 'stripe-mock' && next_seq > 50);
      lines = `sources=${source?.id}&to=${new Date().toISOString()}`;
      return source !== undefined;
    };
    await waitFor(hasLines, 'lines with fields', 20_000);
  });

  afterAll(async () => {
    await board.stop();
    await rm(folder, { recursive: true, force: true });
  });

  async function get(path: string): Promise<ApiResponse> {
    return await board.client.send('GET', path, {
      headers: { ...session.bearer, accept: 'application/json' },
    });
  }

  async function count(query: string): Promise<number> {
    const { body } = await get(`/api/search?${lines}${query}&limit=10000`);
    return (body as SearchResultDto).matched;
  }

  it('are found, counted and exported: those with another one, and those that have none', async () => {
    const only = await count(`&field=${FIELD}`);
    const others = await count(`&without_field=${FIELD}`);
    expect(Math.min(only, others)).toBeGreaterThan(0);
    expect(only + others).toBe(await count(''));
    expect(await count(`&field=${FIELD}&without_field=${FIELD}`)).toBe(0);
    expect(await count(`&without_field=${FIELD}&without_field=status:429`)).toBeLessThanOrEqual(others);
    const counted = (await get(`/api/histogram?${lines}&without_field=${FIELD}`)).body as HistogramDto;
    expect(counted.buckets.reduce((sum, { total }) => sum + total, 0)).toBe(others);
    const file = (await get(`/api/export?${lines}&format=ndjson&without_field=${FIELD}`)).text;
    expect(file.split('\n').filter(Boolean)).toHaveLength(others);
  });

  it.each([['status'], ['a:b', 'status'], [`a:${'b'.repeat(1000)}`], Array<string>(21).fill('a:b')])(
    'are not found by %s',
    async (...fields) => {
      const query = fields.map((field) => `without_field=${field}`).join('&');
      const { status, body } = await get(`/api/search?${query}`);
      const { code, details } = body as ErrorResponse;
      expect([status, code, details]).toEqual([
        400,
        'invalid_input',
        [{ field: 'without_field', problem: expect.any(String) }],
      ]);
    },
  );
});
