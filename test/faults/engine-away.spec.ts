import { describe, expect, it } from '@jest/globals';
import type { ClusterDto } from '../../backend/src/modules/clusters/index.js';
import type { StatsDto } from '../../backend/src/modules/stats/index.js';
import { clusterOf, createCluster, jobEnded, requestCluster, clusterSpec } from '../support/app/clusters.js';
import { EventSocket } from '../support/app/event-socket.js';
import { withServer, type ScriptedServer } from '../support/server/scripted-server.js';
import { ownerBearer } from '../support/server/owner-token.js';
import { waitFor } from '../support/wait-for.js';

/** Routes that may send requests to the engine. */
const ENDPOINTS: readonly [method: string, path: string, body?: unknown][] = [
  ['GET', '/api/v1/clusters'],
  ['GET', '/api/v1/clusters/there'],
  ['GET', '/api/v1/clusters/there/provision-log'],
  ['GET', '/api/v1/clusters/there/kubeconfig'],
  ['GET', '/api/v1/clusters/foreign/kubeconfig'],
  ['GET', '/api/v1/clusters/there/node-logs'],
  ['GET', '/api/v1/stats'],
  ['GET', '/api/v1/versions'],
  ['GET', '/api/v1/health'],
  ['GET', '/api/v1/diagnostics'],
  ['GET', '/api/v1/jobs'],
  ['GET', '/api/v1/journal/recent'],
  ['POST', '/api/v1/clusters', clusterSpec('another')],
  ['POST', '/api/v1/clusters/check', clusterSpec('another')],
  ['DELETE', '/api/v1/clusters/there'],
];

async function expectUnknown({ client }: ScriptedServer, name: string): Promise<void> {
  const cluster = await client.until<ClusterDto>(
    `/api/v1/clusters/${name}`,
    ({ state }) => state === 'unknown',
  );
  expect(cluster.state_reason?.length).toBeGreaterThan(20);
  // The last known nodes are still listed.
  expect(cluster.nodes.length).toBeGreaterThan(0);
}

describe('an engine that stops', () => {
  it('makes clusters unknown, rejects operations with the reason, and recovers', async () => {
    await withServer(async (server) => {
      await createCluster(server.client, 'there', { workers: 1 });
      const engine = server.machine.engine('docker');
      await engine.goAway();
      await expectUnknown(server, 'there');
      // The first error may be the closed connection. Later ones report the missing socket.
      const stats = await server.client.until<StatsDto>('/api/v1/stats', ({ runtimes }) =>
        runtimes.some(
          ({ id, available, reason }) => id === 'docker' && !available && reason?.includes('socket'),
        ),
      );
      expect(stats.container_cli).toBe('docker');
      expect(stats.total_workers_from_meta).toBe(1);
      expect(await server.client.get('/api/v1/health')).toMatchObject({ status: 'degraded' });
      expect(await server.client.get('/api/v1/diagnostics')).toMatchObject({ ready: false });
      for (const [method, path, body] of [
        ['POST', '/api/v1/clusters', clusterSpec('another')],
        ['DELETE', '/api/v1/clusters/there', undefined],
        ['GET', '/api/v1/clusters/there/node-logs', undefined],
      ] as const) {
        const answer = await server.client.send(method, path, { body });
        expect(answer.status).toBe(503);
        expect(answer.body).toMatchObject({ code: 'runtime_unavailable' });
        expect((answer.body as { message: string }).message.length).toBeGreaterThan(30);
      }
      // Saved files need no engine.
      expect((await server.client.send('GET', '/api/v1/clusters/there/kubeconfig')).status).toBe(200);
      expect((await server.client.send('GET', '/api/v1/clusters/there/provision-log')).status).toBe(200);
      // The demo does not replace real clusters.
      expect(stats.runtimes.map(({ id }) => id)).not.toContain('demo');

      await engine.comeBack();
      await server.client.until<ClusterDto>('/api/v1/clusters/there', ({ state }) => state === 'running');
      expect((await server.client.send('DELETE', '/api/v1/clusters/there')).status).toBe(200);
    });
  });

  // Case E07 for Podman, whose service ends with `systemctl --user restart podman.socket`.
  it.each(['docker', 'podman'] as const)('is reported over /events for %s, as is its return', async (id) => {
    await withServer(
      async (server) => {
        await createCluster(server.client, 'there');
        const socket = await EventSocket.open(server.client.port);
        socket.send({ type: 'subscribe', topics: ['clusters'] });
        await socket.settled();
        const engine = server.machine.engine(id);
        await engine.goAway();
        await socket.next('clusters', ({ clusters }) => clusters[0]?.state === 'unknown');
        socket.messages.length = 0;
        await engine.comeBack();
        await socket.next('clusters', ({ clusters }) => clusters[0]?.state === 'running');
        socket.close();
      },
      { engines: [id] },
    );
  });

  it('fails a creation, whose containers are removed when it is back', async () => {
    await withServer(async (server) => {
      const { kind } = server.machine;
      kind.freezeAt('installing-cni');
      const id = await requestCluster(server.client, 'cut');
      await waitFor(() => kind.hasReached('installing-cni'), 'the step');
      const engine = server.machine.engine('docker');
      await engine.goAway();
      await server.client.send('POST', `/api/v1/jobs/${id}/cancel`);
      await engine.comeBack();
      expect((await jobEnded(server.client, id)).state).toBe('cancelled');
      expect(engine.world.nodes).toEqual([]);
      expect(engine.world.volumes.size).toBe(0);
    });
  });

  it('delays the recovery after a crash until it is back', async () => {
    await withServer(async (server) => {
      const { kind } = server.machine;
      kind.freezeAt('installing-cni');
      const id = await requestCluster(server.client, 'cut');
      await waitFor(() => kind.hasReached('installing-cni'), 'the step');
      await server.process.kill();
      const engine = server.machine.engine('docker');
      await engine.goAway();
      await server.launchAgain();
      const waiting = await server.client.until<{ state: string; progress_log: { text: string }[] }>(
        `/api/v1/jobs/${id}`,
        ({ progress_log }) => progress_log.some(({ text }) => text.includes('Waiting for the engine')),
      );
      expect(waiting.state).toBe('running');
      await engine.comeBack();
      expect((await jobEnded(server.client, id)).state).toBe('interrupted');
      expect(engine.world.nodes).toEqual([]);
    });
  });
});

describe('an engine that never responds', () => {
  it('delays no endpoint for long, neither before nor after it is known', async () => {
    await withServer(async (server) => {
      await createCluster(server.client, 'there', { workers: 1 });
      const engine = server.machine.engine('docker');
      addForeign(server, 'foreign');
      await server.client.get('/api/v1/clusters');
      const slow: string[] = [];
      const ask = async ([method, path, body]: (typeof ENDPOINTS)[number]): Promise<void> => {
        const startedAt = performance.now();
        const answer = await server.client.send(method, path, { body });
        const took = performance.now() - startedAt;
        if (took > 20_000) slow.push(`${method} ${path} took ${Math.round(took)} ms`);
        if (![200, 404, 409, 503].includes(answer.status)) {
          slow.push(`${method} ${path} answered ${answer.status}`);
        }
      };
      // All in parallel: first when the engine stops responding, then when that is known.
      engine.hang();
      await Promise.all(ENDPOINTS.map(ask));
      await Promise.all(ENDPOINTS.map(ask));
      expect(slow).toEqual([]);
      await expectUnknown(server, 'there');
      engine.respondAgain();
      await server.client.until<ClusterDto>('/api/v1/clusters/there', ({ state }) => state === 'running');
    });
  });

  it('does not keep the server from starting', async () => {
    await withServer(async (server) => {
      await createCluster(server.client, 'there');
      await server.process.kill();
      server.machine.engine('docker').hang();
      await server.launchAgain();
      // Where the engine runs its containers is unknown, so the user must sign in.
      server.client.headers = ownerBearer(server.dataDirectory);
      const cluster = await clusterOf(server.client, 'there');
      expect(cluster.state).toBe('unknown');
      server.machine.engine('docker').respondAgain();
      await server.client.until<ClusterDto>('/api/v1/clusters/there', ({ state }) => state === 'running');
    });
  });
});

/** Adds a cluster that was created without Slipway. */
function addForeign({ machine }: ScriptedServer, cluster: string, workers = 0): void {
  const { world } = machine.engine('docker');
  const roles = ['control-plane', ...Array<string>(workers).fill('worker')] as ('control-plane' | 'worker')[];
  for (const role of roles) {
    const name = `${cluster}-${role}`;
    const image = 'docker.io/kindest/node:v1.34.4';
    world.addNode({ name, cluster, role, image, port: null, volume: world.addVolume(name) });
  }
}

describe('a node container that is killed outside Slipway', () => {
  it('makes its cluster degraded, with a reason and a journal entry', async () => {
    await withServer(async (server) => {
      addForeign(server, 'hurt', 1);
      const socket = await EventSocket.open(server.client.port);
      socket.send({ type: 'subscribe', topics: ['clusters', 'journal'] });
      await socket.settled();
      const { world } = server.machine.engine('docker');
      world.kill('hurt-worker');
      await socket.next('clusters', ({ clusters }) => clusters[0]?.state === 'degraded');
      const notice = await socket.next('journal', ({ entry }) => entry.kind === 'node-stopped');
      expect(notice.entry).toMatchObject({
        cluster: 'hurt',
        subject: 'hurt-worker',
        outcome: 'failed',
        job_id: null,
      });
      socket.close();
      const cluster = await clusterOf(server.client, 'hurt');
      expect(cluster).toMatchObject({
        state: 'degraded',
        state_reason: 'hurt-worker is not running, exit status 137',
      });
      expect(cluster.nodes.find(({ name }) => name === 'hurt-worker')?.state).toBe('exited');
    });
  });

  it('and removed makes its cluster missing, which can still be deleted', async () => {
    await withServer(async (server) => {
      await createCluster(server.client, 'robbed');
      const { world } = server.machine.engine('docker');
      for (const node of [...world.nodes]) world.remove(node);
      const cluster = await server.client.until<ClusterDto>(
        '/api/v1/clusters/robbed',
        ({ state }) => state === 'missing',
        5000,
      );
      expect(cluster).toMatchObject({ nodes: [], workers: 0, control_planes: 1 });
      expect((await server.client.send('DELETE', '/api/v1/clusters/robbed')).status).toBe(200);
    });
  });
});

describe('statistics of the engine', () => {
  it('are requested every 15 s, and every 2 s while a client subscribes to stats', async () => {
    await withServer(async (server) => {
      addForeign(server, 'quiet', 1);
      const engine = server.machine.engine('docker');
      const statsRequests = (): number => engine.requests.filter((line) => line.includes('/stats?')).length;
      await server.client.get('/api/v1/clusters');
      await server.client.get('/api/v1/health');
      await new Promise((resolve) => setTimeout(resolve, 5000));
      // At most the two rounds at the start, of two nodes.
      const before = statsRequests();
      expect(before).toBeLessThanOrEqual(4);
      const socket = await EventSocket.open(server.client.port);
      socket.send({ type: 'subscribe', topics: ['stats'] });
      await waitFor(() => statsRequests() >= before + 4, 'two samples of two nodes');
      socket.close();
    });
  });
});
