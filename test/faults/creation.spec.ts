import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { Parser } from 'tar';
import type { ClusterDto } from '../../backend/src/modules/clusters/index.js';
import type { JobWithLogDto } from '../../backend/src/modules/jobs/job.dto.js';
import type { JournalEntry } from '../../backend/src/modules/journal/index.js';
import { clusterOf, jobEnded, journalOf, requestCluster, stepRuns, submit } from '../support/app/clusters.js';
import type { ScriptedMachine } from '../support/scripted-machine.js';
import { isAlive, processesWith } from '../support/server/processes.js';
import { withServer, type ScriptedServer } from '../support/server/scripted-server.js';
import { CliProcess } from '../support/server/cli-process.js';
import { waitFor } from '../support/wait-for.js';

function expectEngineEmpty(machine: ScriptedMachine): void {
  const { world } = machine.engine('docker');
  expect(world.nodes).toEqual([]);
  expect([...world.volumes.keys()]).toEqual([]);
}

async function lastEntry({ client }: ScriptedServer): Promise<JournalEntry | undefined> {
  return (await journalOf(client, '?limit=1'))[0];
}

describe('a creation', () => {
  it.each(['docker', 'podman'] as const)(
    'on %s goes through all steps and reports the bytes of the pull',
    async (engine) => {
      await withServer(
        async (server) => {
          server.machine.engine(engine).pull.messageMs = 30;
          const id = await requestCluster(server.client, 'made', { workers: 1, node_image_tag: 'v1.33.1' });
          const seen: JobWithLogDto[] = [];
          const job = await jobEnded(server.client, id, 10_000, (state) => seen.push(state));
          expect(job.state).toBe('succeeded');
          expect(job.progress_steps.map(({ state }) => state)).toEqual(
            job.progress_steps.map(() => 'succeeded'),
          );
          const percentages = seen.map(({ progress_percent }) => progress_percent);
          expect(percentages).toEqual([...percentages].sort((one, other) => one - other));
          expect(
            seen.filter(({ state }) => state !== 'succeeded').every((one) => one.progress_percent < 100),
          ).toBe(true);
          const pulled = new Set(
            seen.flatMap(
              ({ progress_steps }) => progress_steps.find(({ name }) => name === 'node-image')?.detail ?? [],
            ),
          );
          expect(pulled.size).toBeGreaterThan(1);
          const cluster = await clusterOf(server.client, 'made');
          expect(cluster).toMatchObject({ state: 'running', runtime: engine, workers: 1 });
          expect(cluster.api_server).toMatch(/^https:\/\/127\.0\.0\.1:\d+$/);
          const kubeconfig = readFileSync(join(server.dataDirectory, 'clusters/made/kubeconfig'), 'utf8');
          // Only that file contains the key.
          const key = /client-key-data: (\S+)/.exec(kubeconfig)?.[1] ?? '';
          expect(key.length).toBeGreaterThan(100);
          expect(server.process.log).not.toContain(key);
          expect(JSON.stringify(seen)).not.toContain(key);
        },
        { engines: [engine] },
      );
    },
  );

  it.each([
    ['without CoreDNS', { kubeadmConfigPatches: ['kind: InitConfiguration\nskipPhases: [addon/coredns]\n'] }],
    ['without kube-proxy', { networking: { kubeProxyMode: 'none' } }],
    ['without a CNI', { networking: { disableDefaultCNI: true } }],
  ])('%s is kept and degraded, until the user adds what is missing', async (_, fields) => {
    await withServer(async (server) => {
      const { kind } = server.machine;
      kind.freezeAt('joining-workers');
      const nodes = [{ role: 'control-plane' }, { role: 'worker' }];
      const config = JSON.stringify({
        ...{ kind: 'Cluster', apiVersion: 'kind.x-k8s.io/v1alpha4' },
        nodes,
        ...fields,
      });
      const id = await submit(server.client, '/api/v1/clusters', {
        ...{ name: 'bare', config },
        accept_host_access: true,
      });
      await waitFor(() => kind.hasReached('joining-workers'), 'the last step');
      const api = kind.apiServers.get('docker/bare');
      if (!api) throw new Error('there is no API server');
      api.dnsReady = false;
      kind.thaw();
      const job = await jobEnded(server.client, id);
      expect(job).toMatchObject({ state: 'succeeded', warnings: [expect.stringMatching(/DNS is ready: /)] });
      expect(job.message).toMatch(
        /^Created bare .*, but it is degraded: no Pod of the cluster DNS is ready: /,
      );
      expect(await clusterOf(server.client, 'bare')).toMatchObject({
        state: 'degraded',
        state_reason: expect.stringMatching(/^no Pod of the cluster DNS is ready: /),
      });
      const shell = { PATH: '/usr/bin:/bin', HOME: server.dataDirectory, APP_DATA_DIR: server.dataDirectory };
      expect((await CliProcess.start(shell, 'list').end()).stdout).toMatch(
        /^bare +degraded .* ready(?:: .+)?$/m,
      );
      // As the kubelets and the node report it.
      for (const node of api.nodes) node.renewedAt = new Date();
      api.dns.startedAt = new Date();
      api.dnsReady = true;
      await server.client.until<ClusterDto>('/api/v1/clusters/bare', ({ state }) => state === 'running');
    });
  });

  it('that is cancelled leaves no container, volume or process, and the journal reports it', async () => {
    await withServer(async (server) => {
      const { kind } = server.machine;
      kind.freezeAt('starting-control-plane');
      const id = await requestCluster(server.client, 'cut', { workers: 1 });
      await waitFor(() => kind.hasReached('starting-control-plane'), 'the step');
      await stepRuns(server.client, id, 'starting-control-plane');
      expect(server.machine.engine('docker').world.nodes).toHaveLength(2);
      await server.client.send('POST', `/api/v1/jobs/${id}/cancel`);
      expect((await jobEnded(server.client, id)).state).toBe('cancelled');
      expectEngineEmpty(server.machine);
      const [creation] = kind.processes.filter(({ call }) => call.args[0] === 'create');
      const owner = creation?.call.environment['SLIPWAY_OWNER'] ?? '';
      expect(processesWith(`SLIPWAY_OWNER=${owner}`)).toEqual([]);
      expect(await lastEntry(server)).toMatchObject({
        outcome: 'cancelled',
        message: 'Canceled at Starting control-plane. Removed 2 containers and 2 volumes.',
      });
      expect(await server.client.get('/api/v1/clusters')).toEqual([]);
      expect(readdirSync(join(server.dataDirectory, 'clusters'))).toEqual([]);
    });
  });

  it('that fails is rolled back and keeps its config, meta and log', async () => {
    await withServer(async (server) => {
      server.machine.kind.failure = 'failing-in-kubeadm';
      const job = await jobEnded(
        server.client,
        await requestCluster(server.client, 'failing', { workers: 1 }),
      );
      expect(job).toMatchObject({ state: 'failed', error: { code: 'command_failed' } });
      expect(job.error?.command).toMatch(/^kind create cluster --name=failing /);
      expect(job.error?.output?.length).toBeGreaterThan(100);
      expectEngineEmpty(server.machine);
      const cluster = await clusterOf(server.client, 'failing');
      expect(cluster).toMatchObject({ state: 'failed', nodes: [], nodes_kept: false });
      const log = await server.client.get<{ outcome: string; stages: { name: string; outcome: string }[] }>(
        '/api/v1/clusters/failing/provision-log',
      );
      expect(log.outcome).toBe('failed');
      expect(log.stages.find(({ outcome }) => outcome === 'failed')?.name).toBe('starting-control-plane');
      expect(readFileSync(join(server.dataDirectory, 'clusters/failing/cluster.yaml'), 'utf8')).toContain(
        'kind: Cluster',
      );
      expect((await lastEntry(server))?.message).toMatch(
        /^Failed at Starting control-plane: .*(Removed .*|Nothing was left to remove)\./,
      );
    });
  });

  it('is cancelled even if kind and its child process ignore SIGTERM', async () => {
    await withServer(async (server) => {
      const { kind } = server.machine;
      kind.stubborn = true;
      kind.freezeAt('preparing-nodes');
      const id = await requestCluster(server.client, 'stubborn');
      await waitFor(() => kind.hasReached('preparing-nodes'), 'the step');
      await server.client.send('POST', `/api/v1/jobs/${id}/cancel`);
      const winding = await server.client.get<JobWithLogDto>(`/api/v1/jobs/${id}`);
      expect(winding).toMatchObject({ state: 'running', cancelling: true });
      expect((await jobEnded(server.client, id)).state).toBe('cancelled');
      const [creation] = kind.processes.filter(({ call }) => call.args[0] === 'create');
      expect([creation?.call.pid, creation?.grandchild].map((pid) => isAlive(pid ?? 0))).toEqual([
        false,
        false,
      ]);
      expectEngineEmpty(server.machine);
    });
  });

  it('that fails keeps its nodes with keep_on_failure, and they can be deleted', async () => {
    await withServer(async (server) => {
      server.machine.kind.failure = 'failing-in-kubeadm';
      const id = await requestCluster(server.client, 'wreck', { keep_on_failure: true });
      expect((await jobEnded(server.client, id)).state).toBe('failed');
      const cluster = await clusterOf(server.client, 'wreck');
      expect(cluster).toMatchObject({ state: 'failed', nodes_kept: true });
      expect(cluster.nodes.map(({ name }) => name)).toEqual(['wreck-control-plane']);
      expect((await lastEntry(server))?.message).toContain('The nodes were kept.');
      const logs = await server.client.send('GET', '/api/v1/clusters/wreck/node-logs');
      expect(logs.status).toBe(200);
      const names: string[] = [];
      await pipeline(
        Readable.from([logs.bytes]),
        new Parser({
          onReadEntry: (entry) => {
            names.push(entry.path);
            entry.resume();
          },
        }),
      );
      expect(names).toEqual(
        expect.arrayContaining(['wreck-control-plane/container.json', 'wreck-control-plane/serial.log']),
      );
      const deletion = await server.client.send('DELETE', '/api/v1/clusters/wreck');
      expect(deletion.body).toMatchObject({ removed: { containers: ['wreck-control-plane'] } });
      expectEngineEmpty(server.machine);
    });
  });

  it('whose image cannot be pulled fails before it creates anything', async () => {
    await withServer(async (server) => {
      server.machine.engine('docker').pull.missing.add('docker.io/kindest/node:v1.33.1');
      const id = await requestCluster(server.client, 'imageless', { node_image_tag: 'v1.33.1' });
      const job = await jobEnded(server.client, id);
      expect(job).toMatchObject({ state: 'failed', error: { code: 'image_not_pulled' } });
      expect(server.machine.kind.processes.filter(({ call }) => call.args[0] === 'create')).toEqual([]);
      expectEngineEmpty(server.machine);
    });
  });

  it('makes no progress while kind is stuck at a step', async () => {
    await withServer(async (server) => {
      const { kind } = server.machine;
      kind.freezeAt('installing-cni');
      const id = await requestCluster(server.client, 'frozen');
      await waitFor(() => kind.hasReached('installing-cni'), 'the step');
      const read = (): Promise<JobWithLogDto> => server.client.get<JobWithLogDto>(`/api/v1/jobs/${id}`);
      await server.client.until<JobWithLogDto>(
        `/api/v1/jobs/${id}`,
        (job) => job.progress_step === 'Installing CNI',
      );
      const first = await read();
      for (let look = 0; look < 5; look += 1) {
        await delay(100);
        const { progress_percent, progress_step } = await read();
        expect([progress_percent, progress_step]).toEqual([first.progress_percent, first.progress_step]);
      }
      kind.thaw();
      expect(await jobEnded(server.client, id)).toMatchObject({ state: 'succeeded', progress_percent: 100 });
    });
  });

  it('fails if another program creates a cluster of the same name meanwhile, and keeps that cluster', async () => {
    await withServer(
      async (server) => {
        const { kind } = server.machine;
        kind.freezeAt('writing-configuration');
        const blocker = await requestCluster(server.client, 'blocker');
        await waitFor(() => kind.hasReached('writing-configuration'), 'the step');
        // The job is queued when another program creates a cluster of this name.
        const id = await requestCluster(server.client, 'theirs');
        const { world } = server.machine.engine('docker');
        world.addNode({
          name: 'theirs-control-plane',
          cluster: 'theirs',
          role: 'control-plane',
          image: 'docker.io/kindest/node:v1.34.4',
          port: null,
          volume: world.addVolume('theirs-control-plane'),
        });
        kind.thaw();
        expect((await jobEnded(server.client, blocker)).state).toBe('succeeded');
        expect(await jobEnded(server.client, id)).toMatchObject({
          state: 'failed',
          error: { code: 'cluster_exists' },
        });
        expect(world.nodesOf('theirs')).toHaveLength(1);
        expect(world.volumes.size).toBe(2);
      },
      {},
      { APP_JOBS: '1' },
    );
  });

  it('without kind is rejected with a link to its installation, and changes nothing', async () => {
    await withServer(
      async (server) => {
        const answer = await server.client.send('POST', '/api/v1/clusters', {
          body: { name: 'nokind', workers: 0, node_image_tag: 'v1.34.4' },
        });
        expect(answer.status).toBe(503);
        expect(answer.body).toMatchObject({ code: 'provisioner_unavailable' });
        expect(answer.text).toContain('https://kind.sigs.k8s.io');
        expect(readdirSync(join(server.dataDirectory, 'clusters'))).toEqual([]);
        const health = await server.client.get('/api/v1/health');
        expect(health).toMatchObject({ status: 'degraded' });
      },
      { withoutKind: true },
    );
  });
});
