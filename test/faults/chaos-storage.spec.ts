import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import type { ErrorResponse } from '../support/app/api-client.js';
import { clusterSpec, requestCluster } from '../support/app/clusters.js';
import { Chaos } from '../support/server/chaos-bench.js';
import { waitFor } from '../support/wait-for.js';

const FAULT_MS = 10_000;

/** Begins a creation, in the middle of which the fault begins. It continues during the fault. */
async function duringCreation(
  { server, client }: Chaos,
  begin: () => () => void,
  meanwhile: () => Promise<void>,
): Promise<number> {
  const { kind } = server.machine;
  kind.freezeAt('preparing-nodes');
  const id = await requestCluster(client, 'shop');
  await waitFor(() => kind.hasReached('preparing-nodes'), 'the step');
  const end = begin();
  const over = delay(FAULT_MS);
  try {
    kind.thaw();
    const { status, body } = await client.send('POST', '/api/v1/clusters', { body: clusterSpec('other') });
    expect([status, (body as ErrorResponse).code]).toEqual([503, 'storage_unavailable']);
    await meanwhile();
    await over;
  } finally {
    end();
  }
  return id;
}

describe('databases that another program locks for 10 s', () => {
  it('are reported by the health, and lose no job, journal entry or line', async () => {
    await Chaos.run(async (chaos) => {
      const { dataDirectory } = chaos.server;
      const lock = (): (() => void) => {
        const locked = ['slipway.db', 'logs.db'].map((name) => {
          const other = new DatabaseSync(join(dataDirectory, name), { timeout: 5000 });
          other.exec('BEGIN EXCLUSIVE');
          return other;
        });
        return () => {
          for (const other of locked) other.close();
        };
      };
      const id = await duringCreation(chaos, lock, async () => {
        await chaos.untilWrong(
          'storage',
          /another program, such as a backup or sqlite3, has locked its database/,
        );
        await waitFor(async () => (await chaos.boardStatus()) === 'degraded', 'the health of the log board');
        // Lines are pending in memory, and readable.
        await chaos.expectLines();
      });
      expect((await chaos.expectSettled(id)).state).toBe('succeeded');
    });
  });
});

describe('a disk that is full for 10 s', () => {
  it('is reported by the health, and loses no job, journal entry or line', async () => {
    await Chaos.run(async (chaos) => {
      const { pid } = chaos.server.process;
      // As in setrlimit(2): fails like a full disk, without root.
      const limit = (bytes: number | 'unlimited'): unknown =>
        execFileSync('prlimit', [`--pid=${pid}`, `--fsize=${bytes}:unlimited`]);
      const fill = (): (() => void) => {
        limit(1);
        return () => void limit('unlimited');
      };
      const id = await duringCreation(chaos, fill, async () => {
        await chaos.untilWrong('storage', /no space is left on its disk|size limit|its disk reports errors/);
        await waitFor(async () => (await chaos.boardStatus()) === 'degraded', 'the health of the log board');
        await chaos.expectLines();
      });
      const { state, error } = await chaos.expectSettled(id);
      if (state !== 'succeeded') expect(error).toMatchObject({ code: 'storage_unavailable' });
      expect((await chaos.client.send('GET', '/api/v1/clusters/other')).status).toBe(404);
    });
  });
});
