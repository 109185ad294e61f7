import { describe, expect, it } from '@jest/globals';
import type { ClusterDto } from '../../backend/src/modules/clusters/index.js';
import type { JobWithLogDto } from '../../backend/src/modules/jobs/job.dto.js';
import { createCluster, jobEnded, savedMeta, submit } from '../support/app/clusters.js';
import { withServer, type ScriptedServer } from '../support/server/scripted-server.js';
import { waitFor } from '../support/wait-for.js';

describe('changes from outside', () => {
  const end = async ({ client }: ScriptedServer, kind: 'start' | 'stop'): Promise<JobWithLogDto> =>
    await jobEnded(client, await submit(client, `/api/v1/clusters/c/${kind}`));
  const until = async (server: ScriptedServer, expected: Partial<ClusterDto>): Promise<ClusterDto> => {
    const agrees = (cluster: ClusterDto): boolean =>
      Object.entries(expected).every(([field, value]) => cluster[field as keyof ClusterDto] === value);
    return await server.client.until<ClusterDto>('/api/v1/clusters/c', agrees);
  };

  it('update the desired state of a cluster that was stopped or started with the engine', async () => {
    await withServer(async (server) => {
      const { world } = server.machine.engine('docker');
      const { finished_at: made } = await createCluster(server.client, 'c', { workers: 1 });
      // Changes in the first 500 ms after a job are attributed to the job.
      await waitFor(() => Date.now() - Date.parse(made ?? '') > 1000, 'a second after the creation');
      for (const node of world.nodes) world.stop(node);
      await until(server, { state: 'stopped', stopped_unexpectedly: true });
      expect(await until(server, { stopped_unexpectedly: false })).toMatchObject({
        state: 'stopped',
        state_reason: null,
      });
      for (const node of world.nodes) world.start(node);
      await until(server, { state: 'running' });
      await waitFor(
        () => savedMeta(server.dataDirectory, 'c')['wanted'] === 'running',
        'that it is wanted running',
      );
      for (const { name } of world.nodes) world.kill(name);
      await until(server, { state: 'stopped', stopped_unexpectedly: true });
    });
  });

  it('show a cluster that kind is still creating, without a start, until it is ready', async () => {
    await withServer(async (server) => {
      const { kind } = server.machine;
      await kind.makeOutside('docker', 'c', {});
      const api = kind.apiServers.get('docker/c');
      if (!api) throw new Error('there is no API server');
      api.dnsReady = false;
      const creating = { state: 'creating', state_reason: 'being created by kind', active_job_id: null };
      expect(await until(server, { state: 'creating' })).toMatchObject({ ...creating, origin: 'adopted' });
      const start = await server.client.send('POST', '/api/v1/clusters/c/start');
      expect([start.status, start.body]).toMatchObject([
        409,
        { message: 'c is creating, and cannot be started. Wait until kind has created it.' },
      ]);
      api.dnsReady = true;
      expect(await until(server, { state: 'running' })).toMatchObject({ state_reason: null });
      // Once it was ready, it is not taken for a new one.
      api.dnsReady = false;
      expect(await until(server, { state: 'running' })).toMatchObject({ state_reason: null });
    });
  });

  it('clear the problem that a start reported', async () => {
    await withServer(async (server) => {
      const { world } = server.machine.engine('docker');
      await createCluster(server.client, 'c', { workers: 1 });
      await end(server, 'stop');
      world.broken.set('c-worker', 1);
      expect(await end(server, 'start')).toMatchObject({ state: 'succeeded' });
      const reason = 'c-worker is not running, exit status 1';
      expect(savedMeta(server.dataDirectory, 'c')).toMatchObject({ degraded_reason: reason });

      const api = server.machine.kind.apiServers.get('docker/c');
      const member = api?.nodes.find(({ name }) => name === 'c-worker');
      if (!member) throw new Error('the API knows no worker');
      world.broken.clear();
      const worker = world.find('c-worker');
      if (!worker) throw new Error('there is no worker');
      world.start(worker);
      member.ready = false;
      await until(server, {
        state: 'degraded',
        state_reason: 'c-worker (KubeletNotReady) is not ready',
      });
      member.ready = true;
      await until(server, { state: 'running', state_reason: null });
      expect(savedMeta(server.dataDirectory, 'c')).toMatchObject({
        degraded_reason: null,
        degraded_since: null,
      });
    });
  });
});
