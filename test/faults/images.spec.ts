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

const ORIGINS = ['of the engine', 'that was uploaded'] as const;

type Origin = (typeof ORIGINS)[number];

/** The folder is made with the first of them. */
function archivesOf({ dataDirectory }: ScriptedServer): string[] {
  const folder = join(dataDirectory, 'archives');
  return existsSync(folder) ? readdirSync(folder) : [];
}

const loadsOf = ({ machine }: ScriptedServer): ScriptedProcess[] =>
  machine.kind.processes.filter(({ call }) => call.args[0] === 'load');

/** Whatever the loads had started, and what that had started, is gone. */
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

/** A load that is at work in both nodes and does not go on, nor ends when it is asked to. */
async function stalledLoad(server: ScriptedServer, which: Origin): Promise<number> {
  Object.assign(server.machine.kind, { stallsLoads: true, stubborn: true });
  const id =
    which === 'of the engine' ? await submit(server.client, LOAD, { images: [APP] }) : await upload(server);
  await waitFor(() => loadsOf(server).filter(({ grandchild }) => grandchild).length === 2, 'both loads');
  return id;
}

/** Nothing of a stalled load stands in the way of the next one. */
async function expectNextLoad(server: ScriptedServer): Promise<void> {
  Object.assign(server.machine.kind, { stallsLoads: false, stubborn: false });
  const id = await submit(server.client, LOAD, { images: [APP] });
  expect((await jobEnded(server.client, id)).state).toBe('succeeded');
}

async function held({ client }: ScriptedServer): Promise<unknown[]> {
  const { images } = await client.get<ClusterImagesDto>('/api/v1/clusters/shop/images');
  return images.map(({ references, nodes }) => [references[0], nodes.length]);
}

/** A server with a cluster of two nodes, and an image that somebody built. */
async function withShop(test: (server: ScriptedServer) => Promise<void>, sizeBytes?: number): Promise<void> {
  await withServer(async (server) => {
    server.machine.engine('docker').world.addBuiltImage(APP, sizeBytes);
    await createCluster(server.client, 'shop', { workers: 1 });
    await test(server);
  });
}

describe('a load of an image', () => {
  it('goes from the engine into every node, is found there, and leaves no file', async () => {
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

  it('that no disk has room for fails saying so before it is begun, and all else goes on', async () => {
    await withShop(async (server) => {
      const job = await jobEnded(server.client, await submit(server.client, LOAD, { images: [APP] }));
      expect(job).toMatchObject({ state: 'failed', error: { code: 'storage_unavailable' } });
      expect(job.error?.message).toMatch(/does not fit on the disk of the data folder: .* GB are free/);
      const { requests } = server.machine.engine('docker');
      expect(requests.filter((line) => line.includes('/get'))).toEqual([]);
      expect(archivesOf(server)).toEqual([]);
      expect(await held(server)).toEqual([['registry.k8s.io/pause:3.10.1', 2]]);
      expect(await clusterOf(server.client, 'shop')).toMatchObject({ state: 'running', active_job_id: null });
    }, 1e15);
  });

  it('that is cancelled while the engine hands it out leaves no file', async () => {
    await withShop(async (server) => {
      server.machine.engine('docker').images.stalls = true;
      const id = await submit(server.client, LOAD, { images: [APP] });
      await waitFor(() => archivesOf(server).length === 1, 'the half of the archive');
      await server.client.send('POST', `/api/v1/jobs/${id}/cancel`);
      expect(await jobEnded(server.client, id)).toMatchObject({ state: 'cancelled', error: null });
      expect(archivesOf(server)).toEqual([]);
      expect(loadsOf(server)).toEqual([]);
      expect(await clusterOf(server.client, 'shop')).toMatchObject({ state: 'running', active_job_id: null });
    });
  });

  it.each(ORIGINS)(
    '%s that is cancelled in the nodes ends what is at work there, stubborn or not, and leaves no file',
    async (which) => {
      await withShop(async (server) => {
        const id = await stalledLoad(server, which);
        expect(archivesOf(server)).toHaveLength(1);
        await server.client.send('POST', `/api/v1/jobs/${id}/cancel`);
        expect(await jobEnded(server.client, id, 20_000)).toMatchObject({ state: 'cancelled', error: null });
        await expectNoLoads(server);
        expect(archivesOf(server)).toEqual([]);
        await expectNextLoad(server);
      });
    },
  );

  it('into a node that was killed meanwhile says which node, and leaves no file', async () => {
    await withShop(async (server) => {
      const engine = server.machine.engine('docker');
      engine.hold('/get');
      const id = await submit(server.client, LOAD, { images: [APP] });
      await waitFor(() => engine.isHolding('/get'), 'the archive to be asked for');
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
  /** Kills it, starts it again, and sees that nothing of the job is left. */
  const expectPutRight = async (server: ScriptedServer, id: number): Promise<JobWithLogDto> => {
    expect(archivesOf(server)).toHaveLength(1);
    await server.process.kill();
    expect(archivesOf(server)).toHaveLength(1);
    await server.startAgain();
    const job = await jobEnded(server.client, id, 20_000);
    expect(job).toMatchObject({ state: 'interrupted', error: null });
    expect(archivesOf(server)).toEqual([]);
    expect(await clusterOf(server.client, 'shop')).toMatchObject({ state: 'running', active_job_id: null });
    return job;
  };

  it('while an image is saved removes the half of it at the next start', async () => {
    await withShop(async (server) => {
      server.machine.engine('docker').images.stalls = true;
      const id = await submit(server.client, LOAD, { images: [APP] });
      await waitFor(() => archivesOf(server).length === 1, 'the half of the archive');
      const job = await expectPutRight(server, id);
      expect(job.progress_log.at(-1)?.text).toContain('Load again what is missing');
    });
  });

  it.each(ORIGINS)(
    'while an image %s goes into the nodes ends what is at work there, and removes the file',
    async (which) => {
      await withShop(async (server) => {
        const id = await stalledLoad(server, which);
        await expectPutRight(server, id);
        await expectNoLoads(server);
        await expectNextLoad(server);
      });
    },
  );
});

describe('an upload', () => {
  it('larger than the disk is refused with what is free before any of it is sent, and all else goes on', async () => {
    await withShop(async (server) => {
      const answer = await server.client.send('POST', UPLOAD, {
        text: 'the beginning',
        // The rest never comes, so the connection cannot be used again.
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
