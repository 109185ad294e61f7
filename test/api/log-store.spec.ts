import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import type { ServerMessage } from '../../backend/src/modules/log-live/socket-messages.js';
import type { LogStoreDto } from '../../backend/src/modules/log-sources/log-store.dto.js';
import { EventSocket } from '../support/app/event-socket.js';
import { signIn } from '../support/app/signed-in.js';
import { startLogBoard, type TestApp } from '../support/app/start-app.js';
import { waitFor } from '../support/wait-for.js';

const LIMITS = { APP_LOG_HISTORY_SIZE: '500MB', APP_LOG_SOURCE_SIZE: '50MB', APP_LOG_HISTORY_DAYS: '30' };

describe('GET /api/log-store', () => {
  let board: TestApp;

  afterEach(() => board.stop());

  async function read(): Promise<LogStoreDto> {
    const { bearer } = await signIn(board);
    const answer = await board.client.send('GET', '/api/log-store', { headers: bearer });
    expect(answer.status).toBe(200);
    return answer.body as LogStoreDto;
  }

  it('returns the state, the capabilities and the retention limits', async () => {
    board = await startLogBoard({ environment: LIMITS });
    expect(await read()).toEqual({
      kind: 'embedded',
      state: 'ok',
      reason: null,
      notice: null,
      pending_bytes: 0,
      discarded_lines: 0,
      bytes_on_disk: expect.any(Number),
      capabilities: { deletion: 'erase', retention: 'store', regex: 'javascript' },
      retention: { total_bytes: 500_000_000, bytes_per_source: 50_000_000, max_age_days: 30 },
    });
    expect((await board.client.send('GET', '/api/log-store')).status).toBe(401);
  });

  it('is unavailable while the store cannot be opened, and the socket sends log_store on the change', async () => {
    let inTheWay = '';
    board = await startLogBoard({
      prepare: (folder) => {
        inTheWay = join(folder, 'logs.db');
        mkdirSync(inTheWay);
      },
    });
    const { state, reason, kind, bytes_on_disk } = await read();
    expect({ state, kind, bytes_on_disk }).toEqual({
      state: 'unavailable',
      kind: 'embedded',
      bytes_on_disk: null,
    });
    expect(reason).toMatch(/^Could not open the log store/);
    const { token } = await signIn(board);
    const socket = await EventSocket.open<ServerMessage>(board.port, {}, `/ws?token=${token}`);
    expect(await socket.next('log_store')).toMatchObject({ open: false, state: 'unavailable', reason });
    rmSync(inTheWay, { recursive: true });
    await waitFor(() => socket.of('log_store').length > 1, 'another state of the log store');
    expect(socket.of('log_store').at(-1)).toEqual({
      type: 'log_store',
      open: true,
      state: 'ok',
      reason: null,
      notice: null,
    });
    socket.close();
  });
});
