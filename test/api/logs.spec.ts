import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { LogSourceDto } from '../../backend/src/modules/logs/sources/log-source.dto.js';
import { signIn, type SignedIn } from '../support/app/signed-in.js';
import { startLogBoard, type TestApp } from '../support/app/start-app.js';
import { waitFor } from '../support/wait-for.js';

describe('the logs of the demo', () => {
  let board: TestApp;
  let session: SignedIn;

  beforeAll(async () => {
    board = await startLogBoard({ environment: { APP_DEMO_SPEED: '1' } });
    session = await signIn(board);
  });

  afterAll(() => board.stop());

  async function get(path: string): Promise<{ status: number; body: unknown }> {
    return await board.client.send('GET', path, { headers: session.bearer });
  }

  async function sources(): Promise<LogSourceDto[]> {
    return (await get('/api/sources')).body as LogSourceDto[];
  }

  it('lists sources', async () => {
    await waitFor(async () => (await sources()).some(({ next_seq }) => next_seq > 1), 'lines');
    console.log(JSON.stringify(await sources(), null, 1).slice(0, 3000));
    const [one] = (await sources()).filter(({ next_seq }) => next_seq > 5);
    console.log(JSON.stringify(await get(`/api/sources/${one?.id}/lines?limit=5`)));
    console.log(JSON.stringify(await get(`/api/lines?limit=5`)));
    console.log(JSON.stringify(await get(`/api/histogram?buckets=5`)));
    console.log(board.log());
    expect(one).toBeDefined();
  });
});
