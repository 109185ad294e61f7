import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import type { ClusterDto } from '../../backend/src/modules/clusters/index.js';
import type { JobDto, JobWithLogDto } from '../../backend/src/modules/jobs/job.dto.js';
import {
  clusterOf,
  createCluster,
  jobEnded,
  journalOf,
  requestCluster,
  stepRuns,
} from '../support/app/clusters.js';
import { isAlive, processesWith } from '../support/server/processes.js';
import { objectsRecorded } from '../support/server/recorded-objects.js';
import { withServer, type ScriptedServer } from '../support/server/scripted-server.js';
import { waitFor } from '../support/wait-for.js';

/** The first of kind's steps with a node, and the last one. The recovery does the same for the steps between them. */
const KIND_STEPS = ['preparing-nodes', 'joining-workers'] as const;

/** Kills the server, restarts it, and waits until the job has been recovered. */
async function crash(server: ScriptedServer, id: number): Promise<JobWithLogDto> {
  await server.process.kill();
  server.machine.engine('docker').undeletable.clear();
  await server.startAgain();
  return await jobEnded(server.client, id);
}

/** Makes the engine reject removals of nodes until the next crash, so that a removal can be interrupted. */
function undeletable({ machine }: ScriptedServer, cluster: string): void {
  const engine = machine.engine('docker');
  for (const { name } of engine.world.nodesOf(cluster)) engine.undeletable.add(name);
}

async function removalRuns({ machine }: ScriptedServer): Promise<void> {
  const { requests } = machine.engine('docker');
  await waitFor(() => requests.some((line) => line.startsWith('DELETE /containers/')), 'the removal');
}

/** Replaces a cluster by another one of the same name while Slipway is not running. */
async function replaceByHand(server: ScriptedServer, cluster: string): Promise<string[]> {
  const { world } = server.machine.engine('docker');
  for (const node of world.nodesOf(cluster)) world.remove(node);
  await server.machine.kind.makeOutside('docker', cluster, {
    nodes: [{ image: 'docker.io/kindest/node:v1.34.4' }],
  });
  return world.nodesOf(cluster).map(({ id }) => id);
}

/** Expects that only the config, the meta and the log of a cluster are left. */
async function expectGone(server: ScriptedServer, cluster: string, id: number): Promise<void> {
  const { world } = server.machine.engine('docker');
  expect(world.nodes).toEqual([]);
  expect([...world.volumes.keys()]).toEqual([]);
  const record = await server.client.get<ClusterDto>(`/api/v1/clusters/${cluster}`);
  expect(record).toMatchObject({ state: 'failed', nodes: [], active_job_id: null });
  expect(record.state_reason).toContain('interrupted');
  expect(readdirSync(join(server.dataDirectory, 'clusters', cluster))).toEqual(
    expect.arrayContaining(['cluster.yaml', 'meta.json', 'provision_log.json']),
  );
  const entries = await journalOf(server.client, `?cluster=${cluster}`);
  expect(entries).toMatchObject([{ kind: 'create', outcome: 'interrupted', job_id: id }]);
  expect(entries[0]?.message).toMatch(
    /^Interrupted .*(Removed .*|Nothing was left to remove|Nothing was (created|changed))\.( The config is kept\. Recreate the cluster to try again\.)?$/,
  );
}

/** Expects that all processes of the killed server and their children have ended. */
async function expectNoProcesses(server: ScriptedServer): Promise<void> {
  const creations = server.machine.kind.processes.filter(({ call }) => call.args[0] === 'create');
  for (const { call, grandchild } of creations) {
    const owner = call.environment['SLIPWAY_OWNER'] ?? '';
    expect(owner).toMatch(/^[0-9a-f]{12}-job-\d+$/);
    expect(isAlive(call.pid)).toBe(false);
    expect(grandchild === undefined || !isAlive(grandchild)).toBe(true);
    await waitFor(() => processesWith(`SLIPWAY_OWNER=${owner}`).length === 0, 'the end of all processes');
  }
}

describe('SIGKILL of the server during a creation', () => {
  it.each(KIND_STEPS)(
    'at %s interrupts the job and leaves nothing, even if kind ignores SIGTERM',
    async (step) => {
      await withServer(async (server) => {
        const { kind } = server.machine;
        kind.stubborn = true;
        kind.freezeAt(step);
        const id = await requestCluster(server.client, 'cut', { workers: 1 });
        await waitFor(() => kind.hasReached(step), step);
        await stepRuns(server.client, id, step);
        const [creation] = kind.processes.filter(({ call }) => call.args[0] === 'create');
        expect([creation?.call.pid, creation?.grandchild].every((pid) => isAlive(pid ?? 0))).toBe(true);

        const job = await crash(server, id);
        expect(job).toMatchObject({ state: 'interrupted', error: null });
        expect(job.progress_percent).toBeLessThan(100);
        expect(job.progress_steps.find(({ name }) => name === step)?.state).toBe('cancelled');
        await expectNoProcesses(server);
        await expectGone(server, 'cut', id);
        if (step !== 'preparing-nodes') return;
        // The name is free once the saved files are deleted.
        kind.stubborn = false;
        kind.thaw();
        expect((await server.client.send('DELETE', '/api/v1/clusters/cut')).status).toBe(200);
        await createCluster(server.client, 'cut');
      });
    },
  );

  it('at checks, while the engine does not respond, leaves nothing', async () => {
    await withServer(async (server) => {
      const engine = server.machine.engine('docker');
      const id = await requestCluster(server.client, 'cut');
      engine.hang();
      await server.process.kill();
      engine.respondAgain();
      await server.startAgain();
      expect((await jobEnded(server.client, id)).state).toBe('interrupted');
      await expectGone(server, 'cut', id);
    });
  });

  it('at node-image, during a pull, leaves nothing', async () => {
    await withServer(async (server) => {
      server.machine.engine('docker').pull.messageMs = 200;
      const id = await requestCluster(server.client, 'cut', { node_image_tag: 'v1.33.1' });
      await stepRuns(server.client, id, 'node-image');
      await waitFor(
        () => server.machine.engine('docker').requests.some((line) => line.startsWith('POST /images/create')),
        'the pull',
      );
      expect((await crash(server, id)).state).toBe('interrupted');
      await expectGone(server, 'cut', id);
    });
  });

  it('at ready keeps the cluster', async () => {
    await withServer(async (server) => {
      const { kind } = server.machine;
      // The scripted API server only exists once the nodes do.
      kind.freezeAt('joining-workers');
      const id = await requestCluster(server.client, 'whole', { workers: 1 });
      await waitFor(() => kind.hasReached('joining-workers'), 'the last step');
      const api = kind.apiServers.get('docker/whole');
      if (!api) throw new Error('there is no API server');
      api.dnsReady = false;
      kind.thaw();
      await stepRuns(server.client, id, 'ready');

      const job = await crash(server, id);
      expect(job.state).toBe('interrupted');
      expect(server.machine.engine('docker').world.nodes).toHaveLength(2);
      const record = await server.client.get<ClusterDto>('/api/v1/clusters/whole');
      expect(record).toMatchObject({ state: 'running', state_reason: null });
      expect(existsSync(join(server.dataDirectory, 'clusters/whole/kubeconfig'))).toBe(true);
      const [entry] = await journalOf(server.client, '?cluster=whole');
      expect(entry).toMatchObject({ outcome: 'interrupted' });
      expect(entry?.message).toContain('was complete and is kept');
    });
  });

  it('while the job is queued leaves nothing', async () => {
    await withServer(
      async (server) => {
        const { kind } = server.machine;
        kind.freezeAt('writing-configuration');
        const first = await requestCluster(server.client, 'first');
        await waitFor(() => kind.hasReached('writing-configuration'), 'the step');
        const second = await requestCluster(server.client, 'second');
        await server.process.kill();
        await server.startAgain();
        expect((await jobEnded(server.client, first)).state).toBe('interrupted');
        expect(await jobEnded(server.client, second)).toMatchObject({
          state: 'interrupted',
          started_at: null,
        });
        await expectGone(server, 'second', second);
        await expectNoProcesses(server);
      },
      {},
      { APP_JOBS: '1' },
    );
  });

  it('during the recovery lets the third start finish it', async () => {
    await withServer(async (server) => {
      const { kind } = server.machine;
      kind.stubborn = true;
      kind.freezeAt('starting-control-plane');
      const id = await requestCluster(server.client, 'twice', { workers: 1 });
      await waitFor(() => kind.hasReached('starting-control-plane'), 'the step');
      await server.process.kill();
      undeletable(server, 'twice');
      await server.startAgain();
      await removalRuns(server);
      expect((await crash(server, id)).state).toBe('interrupted');
      await expectNoProcesses(server);
      await expectGone(server, 'twice', id);
    });
  });
});

describe('SIGKILL of the server during a deletion', () => {
  it('finishes the deletion at the next start', async () => {
    await withServer(async (server) => {
      await createCluster(server.client, 'doomed', { workers: 1 });
      undeletable(server, 'doomed');
      const deletion = server.client.send('DELETE', '/api/v1/clusters/doomed').catch(() => undefined);
      await removalRuns(server);
      const [running] = await server.client.get<JobDto[]>('/api/v1/jobs');
      const job = await crash(server, running?.id ?? 0);
      await deletion;
      expect(job).toMatchObject({ kind: 'delete', state: 'interrupted' });
      expect(server.machine.engine('docker').world.nodes).toEqual([]);
      expect(await server.client.get('/api/v1/clusters')).toEqual([]);
      expect(readdirSync(join(server.dataDirectory, 'clusters'))).toEqual([]);
      const [entry] = await journalOf(server.client, '?cluster=doomed');
      expect(entry?.message).toBe(
        'Interrupted by a restart of Slipway at Removing nodes and volumes. The cluster is deleted.',
      );
    });
  });
});

describe('a cluster that the user creates under the same name after a SIGKILL', () => {
  it.each(['create', 'delete'] as const)('during %s stays, and the journal explains why', async (action) => {
    await withServer(async (server) => {
      const { kind } = server.machine;
      let id: number | undefined;
      if (action === 'create') {
        kind.freezeAt('starting-control-plane');
        id = await requestCluster(server.client, 'same');
        await waitFor(() => kind.hasReached('starting-control-plane'), 'the step');
        await objectsRecorded(server.dataDirectory, id, 'create');
      } else {
        await createCluster(server.client, 'same');
        undeletable(server, 'same');
        void server.client.send('DELETE', '/api/v1/clusters/same').catch(() => undefined);
        await removalRuns(server);
        id = (await server.client.get<JobDto[]>('/api/v1/jobs'))[0]?.id;
      }
      await server.process.kill();
      const ids = await replaceByHand(server, 'same');
      server.machine.engine('docker').undeletable.clear();
      await server.startAgain();
      expect((await jobEnded(server.client, id ?? 0)).state).toBe('interrupted');
      const { world } = server.machine.engine('docker');
      expect(world.nodesOf('same').map((node) => node.id)).toEqual(ids);
      const entries = await journalOf(server.client, `?cluster=same&kind=${action}`);
      expect(entries[0]?.message).toContain('Not removed: container same-control-plane (');
      if (action !== 'delete') {
        // The failed job does not own these nodes, so deleting its cluster keeps them.
        expect(await clusterOf(server.client, 'same')).toMatchObject({ state: 'failed', nodes: [] });
        expect((await server.client.send('DELETE', '/api/v1/clusters/same')).status).toBe(200);
      }
      const { state, origin } = await clusterOf(server.client, 'same');
      // As kind may still be creating it.
      expect([origin, ['running', 'creating'].includes(state)]).toEqual(['adopted', true]);
      expect(world.nodesOf('same').map((node) => node.id)).toEqual(ids);
    });
  });
});

describe('Ctrl+C while a deletion is queued', () => {
  it('keeps the cluster, also at the next start', async () => {
    await withServer(
      async (server) => {
        const { kind } = server.machine;
        await createCluster(server.client, 'kept');
        kind.freezeAt('writing-configuration');
        await requestCluster(server.client, 'slow');
        await waitFor(() => kind.hasReached('writing-configuration'), 'the step');
        void server.client.send('DELETE', '/api/v1/clusters/kept').catch(() => undefined);
        let id = 0;
        await waitFor(async () => {
          const jobs = await server.client.get<JobDto[]>('/api/v1/jobs');
          id = jobs.find(({ kind: what }) => what === 'delete')?.id ?? 0;
          return id > 0;
        }, 'the job');
        expect(await server.process.stop('SIGINT')).toEqual({ code: 0, signal: null });
        await server.startAgain();
        expect(await jobEnded(server.client, id)).toMatchObject({ state: 'interrupted', started_at: null });
        expect(await clusterOf(server.client, 'kept')).toMatchObject({ state: 'running' });
      },
      {},
      { APP_JOBS: '1' },
    );
  });
});

describe('SIGTERM during a creation', () => {
  it('reverts the creation and exits cleanly', async () => {
    await withServer(async (server) => {
      const { kind } = server.machine;
      kind.freezeAt('installing-cni');
      const id = await requestCluster(server.client, 'stopped', { workers: 1 });
      await waitFor(() => kind.hasReached('installing-cni'), 'the step');
      expect(await server.process.stop()).toEqual({ code: 0, signal: null });
      expect(server.machine.engine('docker').world.nodes).toEqual([]);
      await expectNoProcesses(server);
      await server.startAgain();
      expect((await jobEnded(server.client, id)).state).toBe('interrupted');
      await expectGone(server, 'stopped', id);
    });
  });
});
