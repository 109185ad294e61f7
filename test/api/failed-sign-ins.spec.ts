import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ApiResponse } from '../support/app/api-client.js';
import { expectError } from '../support/app/error-response.js';
import { hashesOf } from '../support/app/scrypt-calls.js';
import { login } from '../support/app/signed-in.js';
import { startLogBoard, type TestApp } from '../support/app/start-app.js';

describe('failed sign-ins', () => {
  let board: TestApp;

  beforeAll(async () => {
    board = await startLogBoard();
  });

  afterAll(() => board.stop());

  it('limit their address with Retry-After and without hashing, and no other address', async () => {
    const from = '127.0.0.2';
    const body = { username: 'admin', password: 'no' };
    let tries: ApiResponse[] = [];
    let other: ApiResponse | undefined;
    // In parallel, so that waits do not end meanwhile on a slow machine.
    const hashes = await hashesOf(async () => {
      const answers = Array.from({ length: 8 }, () =>
        board.client.send('POST', '/api/auth/login', { from, body }),
      );
      other = await login(board, { from: '127.0.0.1' });
      tries = await Promise.all(answers);
    });
    expect(other?.status).toBe(200);
    expect(tries.map(({ status }) => status).sort()).toEqual([401, 401, 401, 401, 401, 429, 429, 429]);
    expect(hashes).toBe(6);
    for (const refused of tries.filter(({ status }) => status === 429)) {
      expectError(refused, 429, 'too_many_requests');
      expect(refused.headers['retry-after']).toBe('1');
    }
    await delay(1050);
    expect((await login(board, { from })).status).toBe(200);
  });

  it('from many addresses slow a name down, and never lock out the correct password', async () => {
    const addresses = ['127.0.0.11', '127.0.0.12', '127.0.0.13', '127.0.0.14'];
    const tries = addresses.flatMap((from) => Array.from({ length: 4 }, () => from));
    const statuses = await Promise.all(
      tries.map(async (from) => (await login(board, { password: 'no', from })).status),
    );
    expect(new Set(statuses)).toEqual(new Set([401]));
    const began = performance.now();
    expect((await login(board, { from: '127.0.0.1' })).status).toBe(200);
    expect(performance.now() - began).toBeGreaterThan(1900);
    // On a busy machine, 17 slow hashes take half a minute.
  }, 120_000);
});
