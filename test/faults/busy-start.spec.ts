import { spawn } from 'node:child_process';
import { describe, expect, it } from '@jest/globals';
import type { ClusterDto } from '../../backend/src/modules/clusters/index.js';
import type { HealthDto } from '../../backend/src/modules/health/index.js';
import type { ErrorResponse } from '../support/app/api-client.js';
import { clusterOf, createCluster, jobEnded, journalOf, requestCluster } from '../support/app/clusters.js';
import { ownerBearer } from '../support/server/owner-token.js';
import { withServer } from '../support/server/scripted-server.js';
import { waitFor } from '../support/wait-for.js';

const LOOPS = 5;
/** Each ends by itself if this process is killed. */
const LOOP_MS = 90_000;
const FOUND_MS = 30_000;

/** Keeps the processors busy while `work` runs. */
async function whileBusy(work: () => Promise<void>): Promise<void> {
  const loop = `const end = Date.now() + ${LOOP_MS}; while (Date.now() < end);`;
  const loops = Array.from({ length: LOOPS }, () => spawn(process.execPath, ['-e', loop]));
  try {
    await work();
  } finally {
    for (const child of loops) child.kill('SIGKILL');
  }
}

describe('a start on a busy machine', () => {
  it('finds its engine within 30 s, shows no wrong state meanwhile, and settles the interrupted job', async () => {
    await withServer(async (server) => {
      const { kind } = server.machine;
      const engine = server.machine.engine('docker');
      await createCluster(server.client, 'there', { workers: 1 });
      kind.freezeAt('installing-cni');
      const id = await requestCluster(server.client, 'cut');
      await waitFor(() => kind.hasReached('installing-cni'), 'the step');
      await server.process.kill();
      // Otherwise a fast response hides what is shown without it.
      engine.hold('/info');

      await whileBusy(async () => {
        await server.launchAgain();
        const begin = performance.now();
        const { client } = server;
        const headers = ownerBearer(server.dataDirectory);

        // Until the engine says where it runs, pages look for it for 5 s, and then name it.
        const api = await client.send('GET', '/api/v1/clusters');
        const page = await client.send('GET', '/login', { headers: { accept: 'text/html' } });
        expect(api.status).toBe(401);
        const isLooking = (api.body as ErrorResponse).code === 'looking_for_engines';
        if (isLooking) expect(page.text).toMatch(/data-session="(looking|unseen)"/);
        const { body } = await client.send('GET', '/api/auth/exemption', { headers });
        expect((body as { reason: string }).reason).toMatch(/docker/);
        const health = await client.send('GET', '/api/v1/health', { headers });
        expect(health.body).toMatchObject({
          status: 'degraded',
          checks: expect.arrayContaining([
            expect.objectContaining({ ok: false, reason: expect.stringMatching(/engine|docker/) }),
          ]),
        });

        const states = new Set<string>();
        const look = async (): Promise<HealthDto> => {
          const clusters = await client.send('GET', '/api/v1/clusters', { headers });
          for (const { name, state } of clusters.body as ClusterDto[]) states.add(`${name} ${state}`);
          return (await client.send('GET', '/api/v1/health', { headers })).body as HealthDto;
        };
        await look();
        engine.release('/info');
        const isFound = async (): Promise<boolean> =>
          (await look()).checks?.some(({ name, ok }) => name === 'docker' && ok) === true;
        await waitFor(isFound, 'the engine', FOUND_MS);
        expect(performance.now() - begin).toBeLessThan(FOUND_MS);

        // Without the token, too: the engine is native.
        const isOpen = async (): Promise<boolean> =>
          (await client.send('GET', '/api/v1/clusters')).status === 200;
        await waitFor(isOpen, 'that no password is needed', FOUND_MS);
        expect((await jobEnded(client, id)).state).toBe('interrupted');
        await look();
        const wrong = [...states].filter(
          (state) => !/^(there (unknown|running)|cut (unknown|creating|failed))$/.test(state),
        );
        expect(wrong).toEqual([]);
        expect((await clusterOf(client, 'there')).state).toBe('running');
        expect(await clusterOf(client, 'cut')).toMatchObject({ state: 'failed', nodes: [] });
        expect(engine.world.nodesOf('cut')).toEqual([]);
        expect(await journalOf(client, '?cluster=cut')).toMatchObject([
          { kind: 'create', outcome: 'interrupted', job_id: id },
        ]);
      });
    });
  });
});
