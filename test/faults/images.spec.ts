import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import type { ClusterImagesDto, EngineImageDto } from '../../backend/src/modules/images/index.js';
import type { JobDto, JobWithLogDto } from '../../backend/src/modules/jobs/job.dto.js';
import type { ErrorResponse } from '../support/app/api-client.js';
import { clusterOf, createCluster, jobEnded, submit } from '../support/app/clusters.js';
import { dockerArchive } from '../support/images/archives.js';
import type { ScriptedProcess } from '../support/programs/program-stage.js';
import { isAlive, processesWith } from '../support/server/processes.js';
import { withServer, type ScriptedServer } from '../support/server/scripted-server.js';
import { waitFor } from '../support/wait-for.js';

const APP = 'docker.io/shop/web:1.4.0';
const LOAD = '/api/v1/clusters/shop/images/load';
const UPLOAD = '/api/v1/clusters/shop/images/upload';

type Origin = 'of an engine image' | 'of an upload';

/** The folder does not exist before the first archive. */
function archivesOf({ dataDirectory }: ScriptedServer): string[] {
  const folder = join(dataDirectory, 'archives');
  return existsSync(folder) ? readdirSync(folder) : [];
}

const loadsOf = ({ machine }: ScriptedServer): ScriptedProcess[] =>
  machine.kind.processes.filter(({ call }) => call.args[0] === 'load');

/** Expects that all processes of the loads have ended. */
async function expectNoLoads(server: ScriptedServer): Promise<void> {
  const loads = loadsOf(server);
  expect(loads.length).toBeGreaterThan(0);
  for (const { call, grandchild } of loads) {
    const owner = call.environment['SLIPWAY_OWNER'] ?? '';
    expect(owner).toMatch(/^[0-9a-f]{12}-job-\d+$/);
    await waitFor(
      () => !isAlive(call.pid) && (grandchild === undefined || !isAlive(grandchild)),
      'the end of the load',
    );
    await waitFor(() => processesWith(`SLIPWAY_OWNER=${owner}`).length === 0, 'the end of all processes');
  }
}

async function upload({ client }: ScriptedServer): Promise<number> {
  const answer = await client.send('POST', UPLOAD, {
    text: dockerArchive([APP], 2_000_000).bytes,
    headers: { 'content-type': 'application/x-tar' },
  });
  expect([answer.status, answer.text]).toEqual([202, expect.any(String)]);
  return (answer.body as { job_id: number }).job_id;
}

/** Starts a load that hangs in both nodes and ignores SIGTERM. */
async function stalledLoad(server: ScriptedServer, which: Origin): Promise<number> {
  Object.assign(server.machine.kind, { stallsLoads: true, stubborn: true });
  const id =
    which === 'of an engine image'
      ? await submit(server.client, LOAD, { images: [APP] })
      : await upload(server);
  await waitFor(() => loadsOf(server).filter(({ grandchild }) => grandchild).length === 2, 'both loads');
  return id;
}

/** Expects that the next load succeeds after a stalled one. */
async function expectNextLoad(server: ScriptedServer): Promise<void> {
  Object.assign(server.machine.kind, { stallsLoads: false, stubborn: false });
  const id = await submit(server.client, LOAD, { images: [APP] });
  expect((await jobEnded(server.client, id)).state).toBe('succeeded');
}

async function held({ client }: ScriptedServer): Promise<unknown[]> {
  const { images } = await client.get<ClusterImagesDto>('/api/v1/clusters/shop/images');
  return images.map(({ references, nodes }) => [references[0], nodes.length]);
}

/** A server with a cluster of two nodes and a built image. */
async function withShop(test: (server: ScriptedServer) => Promise<void>, sizeBytes?: number): Promise<void> {
  await withServer(async (server) => {
    server.machine.engine('docker').world.addBuiltImage(APP, sizeBytes);
    await createCluster(server.client, 'shop', { workers: 1 });
    await test(server);
  });
}

describe('load-images job', () => {
  it('loads an engine image into every node and leaves no file', async () => {
    await withShop(async (server) => {
      const job = await jobEnded(server.client, await submit(server.client, LOAD, { images: [APP] }));
      expect([job.error, job.state, job.result]).toEqual([null, 'succeeded', { loaded: [APP] }]);
      expect(await held(server)).toEqual([
        [APP, 2],
        ['registry.k8s.io/pause:3.10.1', 2],
      ]);
      expect(archivesOf(server)).toEqual([]);
      await expectNoLoads(server);
    });
  });

  it('fails with storage_unavailable for an image larger than the disk', async () => {
    await withShop(async (server) => {
      const job = await jobEnded(server.client, await submit(server.client, LOAD, { images: [APP] }));
      expect(job).toMatchObject({ state: 'failed', error: { code: 'storage_unavailable' } });
      expect(job.error?.message).toMatch(/does not fit on the disk of the data folder\. .* GB are free/);
      const { requests } = server.machine.engine('docker');
      expect(requests.filter((line) => line.includes('/get'))).toEqual([]);
      expect(archivesOf(server)).toEqual([]);
      expect(await held(server)).toEqual([['registry.k8s.io/pause:3.10.1', 2]]);
      expect(await clusterOf(server.client, 'shop')).toMatchObject({ state: 'running', active_job_id: null });
    }, 1e15);
  });

  it('leaves no file when cancelled while the engine saves the image', async () => {
    await withShop(async (server) => {
      server.machine.engine('docker').images.stalls = true;
      const id = await submit(server.client, LOAD, { images: [APP] });
      await waitFor(() => archivesOf(server).length === 1, 'the partial archive');
      await server.client.send('POST', `/api/v1/jobs/${id}/cancel`);
      expect(await jobEnded(server.client, id)).toMatchObject({ state: 'cancelled', error: null });
      expect(archivesOf(server)).toEqual([]);
      expect(loadsOf(server)).toEqual([]);
      expect(await clusterOf(server.client, 'shop')).toMatchObject({ state: 'running', active_job_id: null });
    });
  });

  it('ends its processes and leaves no file when an upload is cancelled during the import', async () => {
    await withShop(async (server) => {
      const id = await stalledLoad(server, 'of an upload');
      expect(archivesOf(server)).toHaveLength(1);
      await server.client.send('POST', `/api/v1/jobs/${id}/cancel`);
      expect(await jobEnded(server.client, id)).toMatchObject({ state: 'cancelled', error: null });
      await expectNoLoads(server);
      expect(archivesOf(server)).toEqual([]);
      await expectNextLoad(server);
    });
  });

  it('fails with node_unavailable if a node is killed meanwhile', async () => {
    await withShop(async (server) => {
      const engine = server.machine.engine('docker');
      engine.hold('/get');
      const id = await submit(server.client, LOAD, { images: [APP] });
      await waitFor(() => engine.isHolding('/get'), 'the request for the archive');
      engine.world.kill('shop-worker');
      engine.release('/get');
      const job = await jobEnded(server.client, id);
      expect(job).toMatchObject({ state: 'failed', error: { code: 'node_unavailable' } });
      expect(job.error?.message).toContain('shop-worker is exited');
      expect(archivesOf(server)).toEqual([]);
    });
  });
});

describe('SIGKILL of the server', () => {
  /** Restarts the server and expects that the job is recovered. */
  const expectRecovered = async (server: ScriptedServer, id: number): Promise<JobWithLogDto> => {
    expect(archivesOf(server)).toHaveLength(1);
    await server.process.kill();
    expect(archivesOf(server)).toHaveLength(1);
    await server.startAgain();
    const job = await jobEnded(server.client, id);
    expect(job).toMatchObject({ state: 'interrupted', error: null });
    expect(archivesOf(server)).toEqual([]);
    expect(await clusterOf(server.client, 'shop')).toMatchObject({ state: 'running', active_job_id: null });
    return job;
  };

  it('removes the partial archive at the next start', async () => {
    await withShop(async (server) => {
      server.machine.engine('docker').images.stalls = true;
      const id = await submit(server.client, LOAD, { images: [APP] });
      await waitFor(() => archivesOf(server).length === 1, 'the partial archive');
      const job = await expectRecovered(server, id);
      expect(job.progress_log.at(-1)?.text).toContain('Load the missing images again');
    });
  });

  it('ends the processes of an import and removes the file', async () => {
    await withShop(async (server) => {
      const id = await stalledLoad(server, 'of an engine image');
      await expectRecovered(server, id);
      await expectNoLoads(server);
      await expectNextLoad(server);
    });
  });
});

describe('POST /clusters/{name}/images/upload', () => {
  it('rejects an upload larger than the disk with storage_unavailable before it is sent', async () => {
    await withShop(async (server) => {
      const answer = await server.client.send('POST', UPLOAD, {
        text: 'the beginning',
        // The rest is never sent, so the connection cannot be reused.
        headers: {
          'content-type': 'application/x-tar',
          'content-length': String(1e15),
          connection: 'close',
        },
      });
      expect([answer.status, (answer.body as ErrorResponse).code]).toEqual([503, 'storage_unavailable']);
      expect((answer.body as ErrorResponse).message).toContain('1000000.0 GB does not fit');
      expect(archivesOf(server)).toEqual([]);
      const jobs = await server.client.get<JobDto[]>('/api/v1/jobs');
      expect(jobs.map(({ kind }) => kind)).toEqual(['create']);
      const images = await server.client.get<EngineImageDto[]>('/api/v1/images');
      expect(images.some(({ references }) => references.includes(APP))).toBe(true);
      expect((await jobEnded(server.client, await upload(server))).state).toBe('succeeded');
    });
  });
});
