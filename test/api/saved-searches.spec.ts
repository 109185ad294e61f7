import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { SavedSearchDto } from '../../backend/src/modules/log-search/saved-search.dto.js';
import type { ApiResponse, ErrorResponse } from '../support/app/api-client.js';
import { expectError, problemsOf } from '../support/app/error-response.js';
import { signIn } from '../support/app/signed-in.js';
import { startLogBoard, type TestApp } from '../support/app/start-app.js';

/** A response body is a plain object, not an instance of its DTO class. */
type Plain<TRecord> = Pick<TRecord, keyof TRecord>;

describe('/api/saved-searches', () => {
  let board: TestApp;
  let bearer: { authorization: string };

  async function send(method: string, path: string, body?: object): Promise<ApiResponse> {
    return await board.client.send(method, path, { headers: bearer, ...(body ? { body } : {}) });
  }

  async function made<TRecord>(path: string, body: object): Promise<TRecord> {
    const answer = await send('POST', path, body);
    if (answer.status !== 201) throw new Error(`${path} was answered ${answer.status}: ${answer.text}`);
    return answer.body as TRecord;
  }

  beforeAll(async () => {
    board = await startLogBoard();
    ({ bearer } = await signIn(board));
  });

  afterAll(() => board.stop());

  afterEach(async () => {
    for (const { id } of (await send('GET', '/api/saved-searches')).body as { id: number }[]) {
      expect((await send('DELETE', `/api/saved-searches/${id}`)).body).toEqual({ id });
    }
  });

  it('creates, updates, lists by name, and deletes', async () => {
    const query = 'q=time%20out&level=error,warn&sources=1,2';
    const two = await made<SavedSearchDto>('/api/saved-searches', { name: 'b', query: `?${query}` });
    expect(two).toEqual({ id: two.id, name: 'b', query, created_at: two.created_at });
    const one = await made<Plain<SavedSearchDto>>('/api/saved-searches', { name: ' A ', query: '' });
    expect((await send('GET', '/api/saved-searches')).body).toEqual([one, two]);
    const changed = { ...one, name: 'a', query: 'q=x' };
    const answer = await send('PUT', `/api/saved-searches/${one.id}`, { name: 'a', query: 'q=x' });
    expect(answer.body).toEqual(changed);
    expect((await send('DELETE', `/api/saved-searches/${one.id}`)).body).toEqual({ id: one.id });
    const gone = `/api/saved-searches/${one.id}`;
    expectError(await send('DELETE', gone), 404, 'saved_search_not_found');
    expectError(await send('PUT', gone, { name: 'c', query: '' }), 404, 'saved_search_not_found');
    expectError(await send('DELETE', '/api/saved-searches/0'), 404, 'saved_search_not_found');
  });

  it.each<[object, string]>([
    [{ name: '', query: '' }, 'name'],
    [{ name: '   ', query: '' }, 'name'],
    [{ name: 'x'.repeat(81), query: '' }, 'name'],
    [{ name: 'a\u001b[31m', query: '' }, 'name'],
    [{ name: 'x' }, 'query'],
    [{ name: 'x', query: `q=${'x'.repeat(1999)}` }, 'query'],
    [{ name: 'x', query: 'q=a b' }, 'query'],
    [{ name: 'x', query: 'q=a#b' }, 'query'],
    [{ name: 'x', query: 'q=%00' }, 'query'],
    [{ name: 'x', query: 'q=%1b%5b31m' }, 'query'],
    [{ name: 'x', query: 'q=%ff' }, 'query'],
    [{ name: 'x', query: 'q=<script>' }, 'query'],
    [{ name: 'x', query: 7 }, 'query'],
  ])('rejects %j', async (body, field) => {
    expect(Object.keys(problemsOf(await send('POST', '/api/saved-searches', body)))).toEqual([field]);
  });

  it('rejects a name that exists', async () => {
    await made('/api/saved-searches', { name: 'Timeouts', query: '' });
    const other = await made<SavedSearchDto>('/api/saved-searches', { name: 'Other', query: '' });
    const body = { name: 'timeouts', query: '' };
    const problem = expect.stringContaining('is taken');
    expect(problemsOf(await send('POST', '/api/saved-searches', body))).toEqual({ name: problem });
    const change = await send('PUT', `/api/saved-searches/${other.id}`, body);
    expect(problemsOf(change)).toEqual({ name: problem });
    const same = await send('PUT', `/api/saved-searches/${other.id}`, { name: 'OTHER', query: '' });
    expect(same.status).toBe(200);
  });

  it('limits the number of searches to 200', async () => {
    for (let count = 0; count < 200; count += 1) {
      await made('/api/saved-searches', { name: `Search ${count}`, query: '' });
    }
    const answer = await send('POST', '/api/saved-searches', { name: 'one more', query: '' });
    expect((answer.body as ErrorResponse).message).toContain('exceeds the limit of 200 saved searches');
  });
});
