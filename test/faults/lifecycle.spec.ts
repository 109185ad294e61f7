import { describe, expect, it } from '@jest/globals';
import type { ClusterDto } from '../../backend/src/modules/clusters/index.js';
import type { JournalEntry } from '../../backend/src/modules/journal/index.js';
import type { JobWithLogDto } from '../../backend/src/modules/jobs/job.dto.js';
import type { ErrorResponse } from '../support/app/api-client.js';
import { clusterOf, createCluster, jobEnded, journalOf, savedMeta, submit } from '../support/app/clusters.js';
import type { ScriptedNode } from '../support/engine/engine-world.js';
import { listenOn } from '../support/free-port.js';
import { withServer, type ScriptedServer } from '../support/server/scripted-server.js';
import type { EngineName } from '../transcripts/transcript.js';
import { waitFor } from '../support/wait-for.js';

type Kind = 'start' | 'stop' | 'pause' | 'unpause';

async function begin({ client }: ScriptedServer, kind: Kind): Promise<number> {
  return await submit(client, `/api/v1/clusters/c/${kind}`);
}

async function end(server: ScriptedServer, kind: Kind): Promise<JobWithLogDto> {
  return await jobEnded(server.client, await begin(server, kind));
}

function nodeOf(
  server: ScriptedServer,
  role: 'control-plane' | 'worker',
  engine: EngineName = 'docker',
): ScriptedNode {
  const node = server.machine.engine(engine).world.find(`c-${role}`);
  if (!node) throw new Error(`there is no ${role}`);
  return node;
}

async function lastEntry({ client }: ScriptedServer): Promise<JournalEntry | undefined> {
  const entries = await journalOf(client, '?cluster=c');
  return entries.find(({ job_id: id }) => id !== null);
}

function metaOf({ dataDirectory }: ScriptedServer): Record<string, unknown> {
  return savedMeta(dataDirectory, 'c');
}

describe.each(['docker', 'podman'] as const)('a cluster in %s', (engine) => {
  it('stays stopped when its engine restarts, and is running if the engine restarts its nodes', async () => {
    await withServer(
      async (server) => {
        const { world, requests } = server.machine.engine(engine);
        await createCluster(server.client, 'c', { workers: 1 });
        const job = await end(server, 'stop');
        expect(job).toMatchObject({ state: 'succeeded', warnings: [] });
        const stops = requests.filter((line) => line.includes('/stop?'));
        expect(stops).toEqual([
          'POST /containers/c-worker/stop?t=30',
          'POST /containers/c-control-plane/stop?t=30',
        ]);
        expect(world.nodes.map(({ state, restartPolicy }) => [state, restartPolicy])).toEqual([
          ['exited', 'no'],
          ['exited', 'no'],
        ]);
        world.restart();
        expect(await clusterOf(server.client, 'c')).toMatchObject({
          state: 'stopped',
          stopped_unexpectedly: false,
        });

        expect(await end(server, 'start')).toMatchObject({ state: 'succeeded', warnings: [] });
        expect(await clusterOf(server.client, 'c')).toMatchObject({ state: 'running', state_reason: null });
        world.restart();
        const expected =
          engine === 'docker'
            ? { state: 'running', stopped_unexpectedly: false }
            : {
                state: 'stopped',
                stopped_unexpectedly: true,
                state_reason: 'its nodes stopped outside Slipway while it was running',
              };
        await server.client.until<ClusterDto>('/api/v1/clusters/c', ({ state }) => state === expected.state);
        expect(await clusterOf(server.client, 'c')).toMatchObject(expected);
        // The state survives a restart of Slipway, as after a restart of the machine.
        await server.process.kill();
        await server.startAgain();
        expect(await clusterOf(server.client, 'c')).toMatchObject(expected);
        expect(await end(server, 'start')).toMatchObject({ state: 'succeeded' });
        expect(await clusterOf(server.client, 'c')).toMatchObject({
          state: 'running',
          stopped_unexpectedly: false,
        });
      },
      { engines: [engine] },
    );
  });
});

describe('a stop', () => {
  it('is rejected with cluster_busy and the job_id while a start runs', async () => {
    await withServer(async (server) => {
      const docker = server.machine.engine('docker');
      await createCluster(server.client, 'c', { workers: 1 });
      await end(server, 'stop');
      docker.hold('/c-worker/start');
      const id = await begin(server, 'start');
      await waitFor(() => docker.isHolding('/c-worker/start'), 'the start of the worker');
      expect(await clusterOf(server.client, 'c')).toMatchObject({ state: 'starting', active_job_id: id });
      for (const kind of ['stop', 'start', 'pause', 'unpause']) {
        const answer = await server.client.send('POST', `/api/v1/clusters/c/${kind}`);
        expect(answer.status).toBe(409);
        expect(answer.body).toMatchObject({ code: 'cluster_busy', details: { job_id: id } });
      }
      docker.release('/c-worker/start');
      expect((await jobEnded(server.client, id)).state).toBe('succeeded');
    });
  });

  it('that is cancelled reports the state of the nodes and sets their restart policy back', async () => {
    await withServer(async (server) => {
      const docker = server.machine.engine('docker');
      await createCluster(server.client, 'c', { workers: 1 });
      docker.hold('/c-worker/stop?t=30');
      const id = await begin(server, 'stop');
      await waitFor(() => docker.isHolding('/c-worker/stop?t=30'), 'the stop of the worker');
      await server.client.send('POST', `/api/v1/jobs/${id}/cancel`);
      docker.release('/c-worker/stop?t=30');
      expect((await jobEnded(server.client, id)).state).toBe('cancelled');
      expect((await lastEntry(server))?.message).toBe(
        'Canceled at Stopping 2 nodes. 1 of 2 nodes are running; c-worker is not running, exit status 130.',
      );
      expect(nodeOf(server, 'control-plane')).toMatchObject({
        state: 'running',
        restartPolicy: 'on-failure:1',
      });
      expect(metaOf(server)).toMatchObject({ wanted: 'running' });
      expect(await clusterOf(server.client, 'c')).toMatchObject({ state: 'degraded' });
      expect(await end(server, 'start')).toMatchObject({
        state: 'succeeded',
        result: { started: ['c-worker'] },
      });
    });
  });

  it('continues when its engine was away for a moment', async () => {
    await withServer(async (server) => {
      const docker = server.machine.engine('docker');
      await createCluster(server.client, 'c', { workers: 1 });
      docker.hold('/c-control-plane/stop?t=30');
      const id = await begin(server, 'stop');
      await waitFor(() => docker.isHolding('/c-control-plane/stop?t=30'), 'the stop of the control plane');
      await docker.goAway();
      await docker.comeBack();
      docker.release('/c-control-plane/stop?t=30');
      expect((await jobEnded(server.client, id)).state).toBe('succeeded');
      expect(docker.world.nodes.map(({ state }) => state)).toEqual(['exited', 'exited']);
    });
  });

  it('is rejected with runtime_unavailable while the engine hangs', async () => {
    await withServer(async (server) => {
      await createCluster(server.client, 'c');
      server.machine.engine('docker').hang();
      const answer = await server.client.send('POST', '/api/v1/clusters/c/stop');
      expect([answer.status, (answer.body as ErrorResponse).code]).toEqual([503, 'runtime_unavailable']);
    });
  });
});

describe('a start', () => {
  it('fails with port_taken before it changes anything, and names the port and its owner', async () => {
    await withServer(async (server) => {
      await createCluster(server.client, 'c', { workers: 1 });
      await end(server, 'stop');
      const { port } = nodeOf(server, 'control-plane');
      const other = await listenOn(port ?? 0);
      const job = await end(server, 'start');
      expect(job).toMatchObject({ state: 'failed', error: { code: 'port_taken' } });
      expect(job.error?.message).toContain(`Port ${port} on 127.0.0.1 is in use by `);
      expect(job.error?.message).toContain(`(process ${process.pid})`);
      expect(job.error?.message).toMatch(/c-control-plane needs it.*start c again\.$/);
      expect((await lastEntry(server))?.message).toMatch(
        /^Failed at Preflight checks: Port .* c is stopped\.$/,
      );
      expect(await clusterOf(server.client, 'c')).toMatchObject({
        state: 'stopped',
        stopped_unexpectedly: false,
      });

      // The error names the cluster to which the port belongs.
      const { world } = server.machine.engine('docker');
      const staging = world.addNode({
        name: 'staging-control-plane',
        cluster: 'staging',
        role: 'control-plane',
        image: nodeOf(server, 'control-plane').image,
        port,
        volume: world.addVolume('staging-control-plane'),
      });
      expect((await end(server, 'start')).error).toMatchObject({
        code: 'port_taken',
        message: `Port ${port} on 127.0.0.1 is in use by staging-control-plane of cluster staging, and c-control-plane needs it. Stop that program, and start c again.`,
      });
      await new Promise((resolve) => other.close(resolve));
      world.remove(staging);

      // A port that is taken after the check fails with the message of the engine.
      server.machine.engine('docker').takenPorts.add('c-control-plane');
      const last = await end(server, 'start');
      expect(last).toMatchObject({ state: 'failed', error: { code: 'cluster_unreachable' } });
      expect(last.error?.message).toMatch(/docker could not start c-control-plane: .*address already in use/);
      server.machine.engine('docker').takenPorts.clear();
      expect(await end(server, 'start')).toMatchObject({ state: 'succeeded' });
    });
  });

  it('leaves the cluster degraded if a node fails, and fails without a control plane', async () => {
    await withServer(async (server) => {
      const { world } = server.machine.engine('docker');
      await createCluster(server.client, 'c', { workers: 1 });
      await end(server, 'stop');
      world.broken.set('c-worker', 1);
      const job = await end(server, 'start');
      expect(job).toMatchObject({
        state: 'succeeded',
        warnings: ['c-worker is not running, exit status 1.'],
        result: { degraded: 'c-worker is not running, exit status 1' },
      });
      expect(await clusterOf(server.client, 'c')).toMatchObject({
        state: 'degraded',
        state_reason: 'c-worker is not running, exit status 1',
      });
      expect(await lastEntry(server)).toMatchObject({
        outcome: 'succeeded',
        message: 'Started c on docker, but it is degraded: c-worker is not running, exit status 1.',
      });
      world.broken.clear();
      expect(await end(server, 'start')).toMatchObject({
        state: 'succeeded',
        warnings: [],
        result: { started: ['c-worker'], degraded: null },
      });
      expect(await clusterOf(server.client, 'c')).toMatchObject({ state: 'running', state_reason: null });

      await end(server, 'stop');
      world.broken.set('c-control-plane', 1);
      const failed = await end(server, 'start');
      expect(failed).toMatchObject({ state: 'failed', error: { code: 'cluster_unreachable' } });
      expect(failed.error?.message).toBe(
        'No control plane of c is running: c-control-plane is not running, exit status 1.',
      );
    });
  });

  it('accepts another address of the only control plane, and records it', async () => {
    await withServer(async (server) => {
      const { world } = server.machine.engine('docker');
      await createCluster(server.client, 'c', { workers: 1 });
      expect(metaOf(server)).toMatchObject({
        node_addresses: { 'c-control-plane': '172.18.0.2', 'c-worker': '172.18.0.3' },
      });
      await end(server, 'stop');
      world.foreignAddresses.set('172.18.0.2', 'squatter');
      const job = await end(server, 'start');
      expect(job).toMatchObject({ state: 'succeeded', warnings: [] });
      expect(job.progress_log.map(({ text }) => text)).toContain(
        'c-control-plane has a new address: 172.18.0.3, previously 172.18.0.2',
      );
      expect(metaOf(server)).toMatchObject({
        node_addresses: { 'c-control-plane': '172.18.0.3', 'c-worker': '172.18.0.4' },
      });
    });
  });

  it('that is cancelled reports the state of the nodes', async () => {
    await withServer(async (server) => {
      await createCluster(server.client, 'c', { workers: 1 });
      await end(server, 'stop');
      const api = server.machine.kind.apiServers.get('docker/c');
      if (!api) throw new Error('there is no API server');
      api.dnsReady = false;
      const id = await begin(server, 'start');
      await server.client.until<JobWithLogDto>(
        `/api/v1/jobs/${id}`,
        ({ progress_steps: steps }) => steps.at(-1)?.detail === 'waiting for cluster DNS',
      );
      await server.client.send('POST', `/api/v1/jobs/${id}/cancel`);
      expect((await jobEnded(server.client, id)).state).toBe('cancelled');
      expect((await lastEntry(server))?.message).toBe(
        'Canceled at Ready: API, 2 nodes, DNS. All nodes of c are running.',
      );
      expect(await clusterOf(server.client, 'c')).toMatchObject({ state: 'running' });
    });
  });

  it('repairs a cluster with a paused and a killed node', async () => {
    await withServer(async (server) => {
      const { world } = server.machine.engine('docker');
      await createCluster(server.client, 'c', { workers: 2 });
      world.freeze(nodeOf(server, 'worker'), 'pause');
      world.kill('c-worker2');
      await server.client.until<ClusterDto>('/api/v1/clusters/c', ({ state }) => state === 'degraded');
      expect(await end(server, 'start')).toMatchObject({ state: 'succeeded', warnings: [] });
      expect(world.nodes.map(({ state }) => state)).toEqual(['running', 'running', 'running']);
    });
  });
});

describe('SIGKILL of the server', () => {
  it('during a stop finishes it', async () => {
    await withServer(async (server) => {
      const docker = server.machine.engine('docker');
      await createCluster(server.client, 'c', { workers: 1 });
      const call = '/c-worker/stop?t=30';
      docker.hold(call);
      const id = await begin(server, 'stop');
      await waitFor(() => docker.isHolding(call), 'the stop');
      await server.process.kill();
      docker.release(call);
      await server.startAgain();
      expect((await jobEnded(server.client, id)).state).toBe('interrupted');
      expect(docker.world.nodes.map(({ state, restartPolicy }) => [state, restartPolicy])).toEqual([
        ['exited', 'no'],
        ['exited', 'no'],
      ]);
      expect(await clusterOf(server.client, 'c')).toMatchObject({
        state: 'stopped',
        stopped_unexpectedly: false,
      });
      expect((await lastEntry(server))?.message).toBe(
        'Interrupted by a restart of Slipway at Stopping 2 nodes. All nodes are stopped.',
      );
    });
  });

  it('during a start finishes it', async () => {
    await withServer(async (server) => {
      const docker = server.machine.engine('docker');
      await createCluster(server.client, 'c', { workers: 1 });
      await end(server, 'stop');
      const call = '/c-control-plane/start';
      docker.hold(call);
      const id = await begin(server, 'start');
      await waitFor(() => docker.isHolding(call), 'the start');
      await server.process.kill();
      docker.release(call);
      await server.startAgain();
      expect((await jobEnded(server.client, id)).state).toBe('interrupted');
      expect(docker.world.nodes.map(({ state, restartPolicy }) => [state, restartPolicy])).toEqual([
        ['running', 'on-failure:1'],
        ['running', 'on-failure:1'],
      ]);
      expect(await clusterOf(server.client, 'c')).toMatchObject({ state: 'running' });
      expect((await lastEntry(server))?.message).toMatch(
        /^Interrupted by a restart of Slipway at .*\. All nodes are running\.$/,
      );
    });
  });

  it('while a stop is queued stops nothing', async () => {
    await withServer(
      async (server) => {
        const { kind } = server.machine;
        await createCluster(server.client, 'c');
        kind.freezeAt('writing-configuration');
        const body = { name: 'other', workers: 0, node_image_tag: 'v1.34.4' };
        await server.client.send('POST', '/api/v1/clusters', { body });
        await waitFor(() => kind.hasReached('writing-configuration'), 'the other job');
        const id = await begin(server, 'stop');
        await server.process.kill();
        await server.startAgain();
        expect((await jobEnded(server.client, id)).state).toBe('interrupted');
        expect(nodeOf(server, 'control-plane').state).toBe('running');
        expect((await lastEntry(server))?.message).toBe(
          'Interrupted by a restart of Slipway before it started. Nothing was changed.',
        );
      },
      {},
      { APP_JOBS: '1' },
    );
  });

  it('during a pause finishes it', async () => {
    await withServer(async (server) => {
      const docker = server.machine.engine('docker');
      await createCluster(server.client, 'c', { workers: 1 });
      docker.hold('/c-worker/pause');
      const id = await begin(server, 'pause');
      await waitFor(() => docker.isHolding('/c-worker/pause'), 'the pause');
      await server.process.kill();
      await server.startAgain();
      docker.release('/c-worker/pause');
      expect((await jobEnded(server.client, id)).state).toBe('interrupted');
      expect(await clusterOf(server.client, 'c')).toMatchObject({ state: 'paused' });
      expect(await end(server, 'unpause')).toMatchObject({ state: 'succeeded' });
      expect(await clusterOf(server.client, 'c')).toMatchObject({ state: 'running' });
    });
  });
});
