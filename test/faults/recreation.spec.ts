import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import type { ClusterDto } from '../../backend/src/modules/clusters/index.js';
import type { JobWithLogDto } from '../../backend/src/modules/jobs/job.dto.js';
import {
  clusterOf,
  createCluster,
  editConfig,
  jobEnded,
  journalOf,
  savedMeta,
  stepRuns,
  submit,
  withWorker,
} from '../support/app/clusters.js';
import { isAlive } from '../support/server/processes.js';
import { withServer, type ScriptedServer } from '../support/server/scripted-server.js';
import { waitFor } from '../support/wait-for.js';

const NAME = 'again';

/** Creates a cluster and adds a worker to its config. */
async function changedCluster({ client }: ScriptedServer): Promise<void> {
  await createCluster(client, NAME, { workers: 1 });
  await editConfig(client, NAME, withWorker);
}

/** Both ways to recreate it. */
type Action = 'recreate' | 'start';

async function ask({ client }: ScriptedServer, action: Action): Promise<number> {
  return await submit(client, `/api/v1/clusters/${NAME}/${action}`);
}

async function crash(server: ScriptedServer, id: number): Promise<JobWithLogDto> {
  await server.process.kill();
  server.machine.engine('docker').undeletable.clear();
  await server.startAgain();
  const job = await jobEnded(server.client, id);
  for (const { call } of server.machine.kind.processes) expect(isAlive(call.pid)).toBe(false);
  return job;
}

function idsOf({ machine }: ScriptedServer): string[] {
  return machine
    .engine('docker')
    .world.nodesOf(NAME)
    .map(({ id }) => id);
}

function filesOf({ dataDirectory }: ScriptedServer): { config: string; changed: unknown } {
  const config = readFileSync(join(dataDirectory, 'clusters', NAME, 'cluster.yaml'), 'utf8');
  return { config, changed: savedMeta(dataDirectory, NAME)['config_changed'] };
}

async function messageOf({ client }: ScriptedServer, id: number): Promise<string> {
  const entries = await journalOf(client, '?limit=50');
  return entries.find(({ job_id }) => job_id === id)?.message ?? '';
}

/** Expects that the cluster failed without leftovers, and that another recreation succeeds. */
async function expectFailedAndRetried(server: ScriptedServer, config: string): Promise<void> {
  const { world } = server.machine.engine('docker');
  expect([world.nodes, [...world.volumes.keys()]]).toEqual([[], []]);
  expect(await clusterOf(server.client, NAME)).toMatchObject({
    state: 'failed',
    nodes: [],
    config_changed: true,
    active_job_id: null,
  });
  expect(filesOf(server)).toEqual({ config, changed: true });
  server.machine.kind.thaw();
  expect((await jobEnded(server.client, await ask(server, 'recreate'))).state).toBe('succeeded');
  expect(await clusterOf(server.client, NAME)).toMatchObject({
    state: 'running',
    workers: 2,
    config_changed: false,
  });
}

/** Expects that the cluster is unchanged. */
async function expectAsItWas(server: ScriptedServer, ids: readonly string[]): Promise<void> {
  expect(idsOf(server)).toEqual(ids);
  expect(await clusterOf(server.client, NAME)).toMatchObject({
    state: 'running',
    workers: 1,
    config_changed: true,
    active_job_id: null,
  });
  const kubeconfig = await server.client.send('GET', `/api/v1/clusters/${NAME}/kubeconfig`);
  expect(kubeconfig.text).toContain(server.machine.kind.apiServers.get(`docker/${NAME}`)?.address ?? 'none');
}

/** Starts a recreation up to the removal of the old nodes, before any is removed. */
async function upToRemoval(server: ScriptedServer, action: Action): Promise<number> {
  const engine = server.machine.engine('docker');
  for (const { name } of engine.world.nodesOf(NAME)) engine.undeletable.add(name);
  const id = await ask(server, action);
  await waitFor(() => engine.requests.some((line) => line.startsWith('DELETE /containers/')), 'the removal');
  return id;
}

describe('SIGKILL of the server during a recreation', () => {
  it('during the pull leaves the cluster unchanged', async () => {
    await withServer(async (server) => {
      await createCluster(server.client, NAME, { workers: 1 });
      const ids = idsOf(server);
      await editConfig(server.client, NAME, (text) => text.replaceAll('v1.34.4', 'v1.33.1'));
      server.machine.engine('docker').pull.messageMs = 1000;
      const id = await ask(server, 'start');
      await stepRuns(server.client, id, 'node-image');
      expect((await crash(server, id)).state).toBe('interrupted');
      await expectAsItWas(server, ids);
      expect(await messageOf(server, id)).toBe(
        'Interrupted by a restart of Slipway at Node image. The cluster is unchanged.',
      );
    });
  });

  it('at the start of the removal leaves the cluster unchanged', async () => {
    await withServer(async (server) => {
      await changedCluster(server);
      const ids = idsOf(server);
      const id = await upToRemoval(server, 'recreate');
      expect((await crash(server, id)).state).toBe('interrupted');
      await expectAsItWas(server, ids);
      expect(await messageOf(server, id)).toMatch(/The cluster is unchanged\.$/);
    });
  });

  it('after the removal of a node removes the others, and another recreation succeeds', async () => {
    await withServer(async (server) => {
      await changedCluster(server);
      const { config } = filesOf(server);
      const { world } = server.machine.engine('docker');
      const id = await upToRemoval(server, 'start');
      const worker = world.find(`${NAME}-worker`);
      if (!worker) throw new Error('there is no worker');
      world.remove(worker);
      expect((await crash(server, id)).state).toBe('interrupted');
      expect(await messageOf(server, id)).toMatch(
        /Removed 1 container and 1 volume\. .*The config is kept. Recreate the cluster to try again\.$/,
      );
      await expectFailedAndRetried(server, config);
    });
  });

  it('at joining-workers leaves nothing, and another recreation succeeds', async () => {
    await withServer(async (server) => {
      const { kind } = server.machine;
      await changedCluster(server);
      const { config } = filesOf(server);
      kind.freezeAt('joining-workers');
      const id = await ask(server, 'recreate');
      await waitFor(() => kind.hasReached('joining-workers'), 'the last step');
      expect((await crash(server, id)).state).toBe('interrupted');
      await expectFailedAndRetried(server, config);
    });
  });

  it('at ready keeps the new cluster', async () => {
    await withServer(async (server) => {
      const { kind } = server.machine;
      await changedCluster(server);
      kind.freezeAt('joining-workers');
      const id = await ask(server, 'start');
      await waitFor(() => kind.hasReached('joining-workers'), 'the last step');
      const api = kind.apiServers.get(`docker/${NAME}`);
      if (!api) throw new Error('there is no API server');
      api.dnsReady = false;
      kind.thaw();
      await stepRuns(server.client, id, 'ready');
      expect((await crash(server, id)).state).toBe('interrupted');
      expect(idsOf(server)).toHaveLength(3);
      expect(await clusterOf(server.client, NAME)).toMatchObject({
        state: 'running',
        workers: 2,
        config_changed: false,
      });
      expect(await messageOf(server, id)).toContain('was complete and is kept');
    });
  });
});

describe('a recreation', () => {
  it('that is cancelled at the start of the removal leaves the cluster unchanged', async () => {
    await withServer(async (server) => {
      await changedCluster(server);
      const ids = idsOf(server);
      const id = await upToRemoval(server, 'recreate');
      await server.client.send('POST', `/api/v1/jobs/${id}/cancel`);
      expect((await jobEnded(server.client, id)).state).toBe('cancelled');
      await expectAsItWas(server, ids);
      expect(await messageOf(server, id)).toBe(
        'Canceled at Removing the old nodes. The cluster is unchanged.',
      );
    });
  });

  it('whose rollback fails reports the leftovers, which the next one removes', async () => {
    await withServer(async (server) => {
      const { kind } = server.machine;
      await changedCluster(server);
      const { config } = filesOf(server);
      kind.freezeAt('starting-control-plane');
      const id = await ask(server, 'recreate');
      await waitFor(() => kind.hasReached('starting-control-plane'), 'the step');
      const stuck = `${NAME}-control-plane`;
      server.machine.engine('docker').undeletable.add(stuck);
      await server.client.send('POST', `/api/v1/jobs/${id}/cancel`);
      const job = await jobEnded(server.client, id);
      expect(job).toMatchObject({ state: 'failed', error: { code: 'rollback_incomplete' } });
      const cluster = await server.client.until<ClusterDto>(
        `/api/v1/clusters/${NAME}`,
        ({ nodes }) => nodes.length > 0,
      );
      expect(cluster).toMatchObject({ state: 'failed', config_changed: true });
      expect(cluster.state_reason).toContain(stuck);
      expect(cluster.nodes.map(({ name }) => name)).toEqual([stuck]);
      expect(filesOf(server).config).toBe(config);

      server.machine.engine('docker').undeletable.clear();
      kind.thaw();
      expect((await jobEnded(server.client, await ask(server, 'recreate'))).state).toBe('succeeded');
      expect(await clusterOf(server.client, NAME)).toMatchObject({ state: 'running', workers: 2 });
    });
  });

  it('of a config whose image cannot be pulled removes nothing', async () => {
    await withServer(async (server) => {
      await createCluster(server.client, NAME, { workers: 1 });
      const ids = idsOf(server);
      server.machine.engine('docker').pull.missing.add('docker.io/kindest/node:v1.33.1');
      await editConfig(server.client, NAME, (text) => text.replaceAll('v1.34.4', 'v1.33.1'));
      const job = await jobEnded(server.client, await ask(server, 'start'));
      expect(job).toMatchObject({ state: 'failed', error: { code: 'image_not_pulled' } });
      await expectAsItWas(server, ids);
    });
  });
});
