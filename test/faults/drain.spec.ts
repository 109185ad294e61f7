import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from '@jest/globals';
import type { JobWithLogDto } from '../../backend/src/modules/jobs/job.dto.js';
import { createCluster, jobEnded, journalOf, submit } from '../support/app/clusters.js';
import type { ScriptedApiServer } from '../support/engine/scripted-api-server.js';
import { makeDemoCluster } from '../support/kubernetes/demo-cluster.js';
import { withServer, type ScriptedServer } from '../support/server/scripted-server.js';
import { waitFor } from '../support/wait-for.js';

const RESOURCES = '/api/v1/clusters/c/resources';
const NODE = `${RESOURCES}/core/v1/nodes/c-worker`;
const LOSSES = { force: true, delete_emptydir_data: true };
/** Disruption budgets of the demo, which block a drain. */
const BUDGETS = ['postgres', 'web'];

/** Runs a test during the drain of a worker. */
async function inDrain(
  test: (server: ScriptedServer, id: number, api: ScriptedApiServer) => Promise<void>,
): Promise<void> {
  const inside = await makeDemoCluster('c');
  try {
    await withServer(async (server) => {
      const { client } = server;
      await createCluster(client, 'c', { workers: 1 });
      const api = server.machine.kind.apiServers.get('docker/c');
      if (!api) throw new Error('there is no API server');
      api.behind = inside.world.apiServer('c');
      expect(await isCordoned(server)).toBe(false);
      const id = await submit(client, `${NODE}/drain`, LOSSES);
      await client.until<JobWithLogDto>(`/api/v1/jobs/${id}`, ({ progress_log: log }) =>
        log.some(({ text }) => text.includes('is blocked')),
      );
      await waitFor(() => savedResult(server, id).evicted !== 0, 'a recorded eviction');
      await test(server, id, api);
    });
  } finally {
    await inside.remove();
  }
}

/** The stored result of a job, which survives a crash. */
function savedResult({ dataDirectory }: ScriptedServer, id: number): { evicted: number; total: number } {
  const database = new DatabaseSync(join(dataDirectory, 'slipway.db'), { readOnly: true });
  try {
    const row = database.prepare('SELECT result_json FROM jobs WHERE id = ?').get(id);
    return JSON.parse(String(row?.['result_json'] ?? '{ "evicted": 0, "total": 0 }')) as never;
  } finally {
    database.close();
  }
}

async function isCordoned({ client }: ScriptedServer): Promise<boolean> {
  return (await client.get<{ yaml: string }>(NODE)).yaml.includes('unschedulable: true');
}

describe('SIGKILL of the server during a drain', () => {
  it('leaves the node cordoned and reports it; another drain empties the node', async () => {
    await inDrain(async (server, id) => {
      await server.process.kill();
      const { evicted, total } = savedResult(server, id);
      await server.startAgain();
      const job = await jobEnded(server.client, id);
      expect(job).toMatchObject({ state: 'interrupted', error: null });
      expect(await isCordoned(server)).toBe(true);
      const [entry] = await journalOf(server.client, '?cluster=c&kind=drain');
      expect(entry).toMatchObject({ outcome: 'interrupted', job_id: id });
      expect(entry?.message).toBe(
        'Interrupted by a restart of Slipway at Evict the pods of c-worker. c-worker stays cordoned. Uncordon it to use it again, ' +
          `or drain it again. Evicted ${evicted} of ${total} pods.`,
      );

      for (const budget of BUDGETS) {
        const path = `${RESOURCES}/policy/v1/poddisruptionbudgets/${budget}?namespace=shop`;
        expect((await server.client.send('DELETE', path)).status).toBe(200);
      }
      const again = await submit(server.client, `${NODE}/drain`, LOSSES);
      expect(await jobEnded(server.client, again)).toMatchObject({ state: 'succeeded' });
      expect((await server.client.send('POST', `${NODE}/uncordon`)).status).toBe(200);
      expect(await isCordoned(server)).toBe(false);
    });
  });

  it('waits for the engine before it reports the state, and says if the state is unknown', async () => {
    await inDrain(async (server, id, api) => {
      await server.process.kill();
      await api.goAway();
      const engine = server.machine.engine('docker');
      await engine.goAway();
      await server.launchAgain();
      const waiting = await server.client.until<JobWithLogDto>(
        `/api/v1/jobs/${id}`,
        ({ progress_log: log }) => log.some(({ text }) => text.includes('Waiting for the engine')),
      );
      expect(waiting.state).toBe('running');
      await engine.comeBack();
      expect((await jobEnded(server.client, id)).state).toBe('interrupted');
      const [entry] = await journalOf(server.client, '?cluster=c&kind=drain');
      expect(entry?.message).toMatch(
        /Could not determine whether c-worker is cordoned: .+ Once c is reachable, uncordon the node or drain it again\. Evicted \d+ of \d+ pods\.$/,
      );
    });
  });
});
