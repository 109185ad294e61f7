import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ApiResponse } from '../support/app/api-client.js';
import type { LogSourceDto } from '../../backend/src/modules/log-sources/log-source.dto.js';
import { signIn, type SignedIn } from '../support/app/signed-in.js';
import { startLogBoard, type TestApp } from '../support/app/start-app.js';
import { waitFor } from '../support/wait-for.js';

/** The longest search text, of characters with the longest encoding. */
const LONGEST_TEXT = encodeURIComponent('日'.repeat(2000));

describe('?sources with very many sources', () => {
  let board: TestApp;
  let session: SignedIn;

  beforeAll(async () => {
    board = await startLogBoard({ environment: { APP_LOG_INTAKE: 'on', APP_DEMO_SPEED: '20' } });
    session = await signIn(board);
  });

  afterAll(() => board.stop());

  async function get(path: string): Promise<ApiResponse> {
    return await board.client.send('GET', path, { headers: session.bearer });
  }

  async function anySource(): Promise<number> {
    let id: number | undefined;
    await waitFor(async () => {
      const sources = (await get('/api/sources')).body as LogSourceDto[];
      return (id = sources.at(0)?.id) !== undefined;
    }, 'a source');
    if (id === undefined) throw new Error('there is no source');
    return id;
  }

  it.each([
    ['/api/lines', ''],
    ['/api/search', `&q=${LONGEST_TEXT}`],
    ['/api/histogram', `&q=${LONGEST_TEXT}`],
    ['/api/export', `&q=${LONGEST_TEXT}`],
  ])('is accepted by %s up to its limit, and rejected beyond it', async (path, more) => {
    const id = await anySource();
    const most = `${id},`
      .repeat(20_000)
      .slice(0, 20_000)
      .replace(/\D\d*$/, '');
    expect(most.length).toBeGreaterThan(19_980);
    expect((await get(`${path}?sources=${most}${more}`)).status).toBe(200);
    expect((await get(`${path}?sources=${most},${most}`)).body).toMatchObject({
      statusCode: 400,
      code: 'invalid_input',
      details: [{ field: 'sources', problem: 'must have at most 20,000 characters' }],
    });
  });
});
