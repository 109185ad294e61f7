import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type {
  ClusterImagesDto,
  DiskUsageDto,
  EngineImageDto,
} from '../../backend/src/modules/images/index.js';
import type { JobWithLogDto } from '../../backend/src/modules/jobs/job.dto.js';
import type { ErrorResponse } from '../support/app/api-client.js';
import type { JournalPageDto } from '../../backend/src/modules/journal/journal.dto.js';
import { createCluster, jobEnded } from '../support/app/clusters.js';
import { startApp, type TestApp } from '../support/app/start-app.js';
import { dockerArchive, tarOf } from '../support/images/archives.js';

describe('images', () => {
  let app: TestApp;

  beforeAll(async () => {
    app = await startApp();
    await createCluster(app.client, 'shop', { workers: 1 });
  });

  afterAll(() => app.stop());

  const load = async (body: unknown): Promise<JobWithLogDto> => {
    const response = await app.client.send('POST', '/api/v1/clusters/shop/images/load', { body });
    expect([response.status, response.text]).toEqual([202, expect.any(String)]);
    const { job_id } = response.body as { job_id: number };
    return await jobEnded(app.client, job_id);
  };
  const archives = (): Promise<string[]> => readdir(join(app.dataDirectory, 'archives')).catch(() => []);

  it('lists the images of the engine with the clusters that use them', async () => {
    const images = await app.client.get<EngineImageDto[]>('/api/v1/images');
    const node = images.find(({ references }) => references[0]?.endsWith('kindest/node:v1.34.4'));
    expect(node).toMatchObject({ is_node_image: true, used_by: [{ name: 'shop', runtime: 'demo' }] });
    const web = images.find(({ references }) => references.includes('shop/web:1.4.0'));
    expect(web).toMatchObject({ is_node_image: false, used_by: [], warnings: [], architecture: 'amd64' });
    const worker = images.find(({ references }) => references.includes('shop/worker:latest'));
    expect(worker?.warnings.join()).toContain('imagePullPolicy');
  });

  it('loads an image into every node and lists it there', async () => {
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

  it('rejects unknown images and nodes of another cluster, with the field', async () => {
    const send = async (body: unknown): Promise<unknown> => {
      const response = await app.client.send('POST', '/api/v1/clusters/shop/images/load', { body });
      return [response.status, (response.body as ErrorResponse).details];
    };
    expect(await send({ images: ['shop/web:1.4.0', 'unknown/image:1'] })).toEqual([
      400,
      [{ field: 'images[1]', problem: expect.stringContaining('does not exist in demo') }],
    ]);
    expect(await send({ images: ['shop/web:1.4.0'], nodes: ['other-worker'] })).toEqual([
      400,
      [{ field: 'nodes[0]', problem: expect.stringContaining('is not a node of shop') }],
    ]);
  });

  it.each([
    '../../etc/passwd',
    '--output=/etc/passwd',
    'shop/web:1.4.0 --all',
    'shop/web;id',
    'http://127.0.0.1/x',
    '',
    'a'.repeat(300),
  ])('rejects the invalid image name %j', async (reference) => {
    const response = await app.client.send('POST', '/api/v1/clusters/shop/images/load', {
      body: { images: [reference] },
    });
    expect([response.status, (response.body as ErrorResponse).code]).toEqual([400, 'invalid_input']);
  });

  describe('POST /clusters/{name}/images/upload', () => {
    const upload = (text: Buffer, type = 'application/x-tar'): ReturnType<TestApp['client']['send']> =>
      app.client.send('POST', '/api/v1/clusters/shop/images/upload', {
        text,
        headers: { 'content-type': type },
      });
    const manifest = (name: string): string =>
      JSON.stringify([{ Config: 'x.json', RepoTags: [name], Layers: [] }]);

    it.each([
      ['plain', 'shop/uploaded:1', (bytes: Buffer) => bytes],
      ['gzip', 'shop/packed:1', (bytes: Buffer) => gzipSync(bytes)],
    ])('loads a %s archive into the nodes and removes the file', async (_, reference, pack) => {
      const response = await upload(pack(dockerArchive([reference], 200_000).bytes));
      expect([response.status, response.text]).toEqual([202, expect.any(String)]);
      const job = await jobEnded(app.client, (response.body as { job_id: number }).job_id);
      expect(job).toMatchObject({ state: 'succeeded', result: { loaded: [reference] } });
      const { images } = await app.client.get<ClusterImagesDto>('/api/v1/clusters/shop/images');
      expect(images.flatMap(({ references }) => references)).toContain(`docker.io/${reference}`);
      expect(await archives()).toEqual([]);
    });

    it.each([
      ['an empty body', Buffer.alloc(0), 'The upload is empty'],
      ['text', Buffer.from('no archive at all '.repeat(100)), 'cannot be read as a tar archive'],
      [
        'a truncated archive',
        dockerArchive(['a:1'], 5000).bytes.subarray(0, 3000),
        'cannot be read as a tar archive',
      ],
      ['a truncated gzip archive', gzipSync(dockerArchive(['a:1'], 5000).bytes).subarray(0, 150), 'archive'],
      ['an archive of other files', tarOf({ 'notes.txt': 'hello' }), 'neither manifest.json nor index.json'],
      [
        'path traversal',
        tarOf({ '../manifest.json': manifest('evil:1'), '/etc/cron.d/x': 'x' }),
        'neither manifest.json nor index.json',
      ],
      [
        'a manifest that is too large',
        tarOf({ 'manifest.json': `${' '.repeat(5_000_000)}${manifest('large:1')}` }),
        'neither manifest.json nor index.json',
      ],
    ])('rejects %s with archive_refused, and leaves no file and no job', async (_, bytes, reason) => {
      const jobs = await app.client.get<unknown[]>('/api/v1/jobs');
      const response = await upload(bytes);
      expect([response.status, (response.body as ErrorResponse).code]).toEqual([422, 'archive_refused']);
      expect((response.body as ErrorResponse).message).toContain(reason);
      expect(await archives()).toEqual([]);
      expect(await app.client.get<unknown[]>('/api/v1/jobs')).toHaveLength(jobs.length);
    });

    it('rejects another content type with unsupported_media_type', async () => {
      const response = await upload(dockerArchive(['a:1']).bytes, 'text/plain');
      expect([response.status, (response.body as ErrorResponse).code]).toEqual([
        415,
        'unsupported_media_type',
      ]);
    });
  });

  describe('GET /images/usage and POST /images/prune', () => {
    const usage = async (): Promise<DiskUsageDto> => {
      const [demo] = await app.client.get<DiskUsageDto[]>('/api/v1/images/usage');
      if (!demo) throw new Error('no disk usage of the demo');
      return demo;
    };
    const prune = async (body: unknown): Promise<JobWithLogDto> => {
      const response = await app.client.send('POST', '/api/v1/images/prune', { body });
      expect([response.status, response.text]).toEqual([202, expect.any(String)]);
      return await jobEnded(app.client, (response.body as { job_id: number }).job_id);
    };

    it('mark unused images and volumes as removable', async () => {
      const { node_images, volumes, freeable_bytes } = await usage();
      expect(
        node_images.map(({ references, used_by, removable }) => [references[0], used_by, removable]),
      ).toEqual([
        ['docker.io/kindest/node:v1.34.4', [{ name: 'shop', runtime: 'demo' }], false],
        ['docker.io/kindest/node:v1.33.1', [], true],
      ]);
      expect(volumes.map(({ node, cluster, removable }) => [node, cluster, removable])).toEqual([
        ['shop-control-plane', 'shop', false],
        ['shop-worker', 'shop', false],
        ['old-demo-worker', null, true],
      ]);
      expect(freeable_bytes).toBe(1_388_683_921 + 412_000_000);
    });

    it('remove selected unused objects and skip those in use', async () => {
      const before = await usage();
      const job = await prune({
        runtime: 'demo',
        images: before.node_images.map(({ id }) => id),
        volumes: before.volumes.map(({ name }) => name),
      });
      expect(job).toMatchObject({
        kind: 'prune',
        cluster: '',
        state: 'succeeded',
        result: { images: ['docker.io/kindest/node:v1.33.1'], freed_bytes: before.freeable_bytes },
      });
      expect(job.warnings.map((warning) => /Skipped (.*): (.*)/.exec(warning)?.slice(1))).toEqual([
        ['docker.io/kindest/node:v1.34.4', 'shop uses it.'],
        ['volume of shop-control-plane', 'shop uses it.'],
        ['volume of shop-worker', 'shop uses it.'],
      ]);
      expect(await usage()).toMatchObject({ freeable_bytes: 0, node_images: [{}], volumes: [{}, {}] });
      const { entries } = await app.client.get<JournalPageDto>('/api/v1/journal/recent?kind=prune');
      expect(entries[0]).toMatchObject({ cluster: null, outcome: 'succeeded' });
    });

    it('reject empty selections and invalid names', async () => {
      for (const body of [
        { runtime: 'demo' },
        { runtime: 'demo', images: ['kindest/node:v1.34.4'] },
        { runtime: 'demo', volumes: ['../../etc'] },
        { runtime: 'demo', volumes: ['my-database'] },
        { images: [] },
      ]) {
        const response = await app.client.send('POST', '/api/v1/images/prune', { body });
        expect([body, response.status]).toEqual([body, 400]);
      }
    });
  });
});
