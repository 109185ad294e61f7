import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ClusterImagesDto, EngineImageDto } from '../../backend/src/modules/images/index.js';
import type { JobWithLogDto } from '../../backend/src/modules/jobs/job.dto.js';
import type { ErrorAnswer } from '../support/app/api-client.js';
import { createCluster } from '../support/app/clusters.js';
import { startApp, type TestApp } from '../support/app/start-app.js';

describe('images on the demo', () => {
  let app: TestApp;

  beforeAll(async () => {
    app = await startApp();
    await createCluster(app.client, 'shop', { workers: 1 });
  });

  afterAll(() => app.stop());

  const load = async (body: unknown): Promise<JobWithLogDto> => {
    const answer = await app.client.send('POST', '/api/v1/clusters/shop/images/load', { body });
    expect([answer.status, answer.text]).toEqual([202, expect.any(String)]);
    const { job_id } = answer.body as { job_id: number };
    return await app.client.until<JobWithLogDto>(
      `/api/v1/jobs/${job_id}`,
      ({ state }) => state !== 'queued' && state !== 'running',
    );
  };
  const archives = (): Promise<string[]> => readdir(join(app.dataDirectory, 'archives')).catch(() => []);

  it('lists those of the engine, with the clusters that need them', async () => {
    const images = await app.client.get<EngineImageDto[]>('/api/v1/images');
    const node = images.find(({ references }) => references[0]?.endsWith('kindest/node:v1.34.4'));
    expect(node).toMatchObject({ is_node_image: true, used_by: [{ name: 'shop', runtime: 'demo' }] });
    const web = images.find(({ references }) => references.includes('shop/web:1.4.0'));
    expect(web).toMatchObject({ is_node_image: false, used_by: [], warnings: [], architecture: 'amd64' });
    const worker = images.find(({ references }) => references.includes('shop/worker:latest'));
    expect(worker?.warnings.join()).toContain('imagePullPolicy');
  });

  it('loads one into every node, and finds it there', async () => {
    const before = await app.client.get<ClusterImagesDto>('/api/v1/clusters/shop/images');
    expect(before.images.every(({ part_of_kubernetes }) => part_of_kubernetes)).toBe(true);
    const job = await load({ images: ['shop/web:1.4.0'] });
    expect(job).toMatchObject({
      state: 'succeeded',
      kind: 'load-images',
      result: { loaded: ['shop/web:1.4.0'] },
    });
    expect(job.progress_steps.map(({ name, state }) => [name, state])).toEqual([
      ['checks', 'succeeded'],
      ['saving-1', 'succeeded'],
      ['loading-1', 'succeeded'],
    ]);
    const after = await app.client.get<ClusterImagesDto>('/api/v1/clusters/shop/images');
    expect(
      after.images.find(({ references }) => references.includes('docker.io/shop/web:1.4.0')),
    ).toMatchObject({
      part_of_kubernetes: false,
      nodes: ['shop-control-plane', 'shop-worker'],
    });
    expect(await archives()).toEqual([]);
  });

  it('has nothing to do where it is on all nodes already, and says so', async () => {
    const job = await load({ images: ['docker.io/shop/web:1.4.0'] });
    expect(job.state).toBe('succeeded');
    expect(job.progress_log.at(-1)?.text).toContain('Nothing to do: shop/web:1.4.0 is on 2 nodes already.');
  });

  it('refuses what the engine does not hold and nodes that are another’s, each by its place', async () => {
    const send = async (body: unknown): Promise<unknown> => {
      const answer = await app.client.send('POST', '/api/v1/clusters/shop/images/load', { body });
      return [answer.status, (answer.body as ErrorAnswer).details];
    };
    expect(await send({ images: ['shop/web:1.4.0', 'nobody/has:it'] })).toEqual([
      400,
      [{ field: 'images[1]', problem: expect.stringContaining('is not in demo') }],
    ]);
    expect(await send({ images: ['shop/web:1.4.0'], nodes: ['other-worker'] })).toEqual([
      400,
      [{ field: 'nodes[0]', problem: expect.stringContaining('is not a node of shop') }],
    ]);
  });
});
