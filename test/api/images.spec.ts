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
    return await jobEnded(app.client, job_id);
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
      return [answer.status, (answer.body as ErrorResponse).details];
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

  it.each([
    '../../etc/passwd',
    '--output=/etc/passwd',
    'shop/web:1.4.0 --all',
    'shop/web;id',
    'http://127.0.0.1/x',
    '',
    'a'.repeat(300),
  ])('refuses what is no name of an image: %s', async (reference) => {
    const answer = await app.client.send('POST', '/api/v1/clusters/shop/images/load', {
      body: { images: [reference] },
    });
    expect([answer.status, (answer.body as ErrorResponse).code]).toEqual([400, 'invalid_input']);
  });

  describe('in an archive', () => {
    const upload = (text: Buffer, type = 'application/x-tar'): ReturnType<TestApp['client']['send']> =>
      app.client.send('POST', '/api/v1/clusters/shop/images/upload', {
        text,
        headers: { 'content-type': type },
      });
    const manifest = (name: string): string =>
      JSON.stringify([{ Config: 'x.json', RepoTags: [name], Layers: [] }]);

    it.each([
      ['plain', 'shop/uploaded:1', (bytes: Buffer) => bytes],
      ['packed', 'shop/packed:1', (bytes: Buffer) => gzipSync(bytes)],
    ])('%s are loaded into the nodes, and the file is gone', async (_, reference, pack) => {
      const answer = await upload(pack(dockerArchive([reference], 200_000).bytes));
      expect([answer.status, answer.text]).toEqual([202, expect.any(String)]);
      const job = await jobEnded(app.client, (answer.body as { job_id: number }).job_id);
      expect(job).toMatchObject({ state: 'succeeded', result: { loaded: [reference] } });
      const { images } = await app.client.get<ClusterImagesDto>('/api/v1/clusters/shop/images');
      expect(images.flatMap(({ references }) => references)).toContain(`docker.io/${reference}`);
      expect(await archives()).toEqual([]);
    });

    it.each([
      ['nothing', Buffer.alloc(0), 'Nothing was sent'],
      ['text', Buffer.from('no archive at all '.repeat(100)), 'cannot be read as a tar archive'],
      ['a half', dockerArchive(['a:1'], 5000).bytes.subarray(0, 3000), 'cannot be read as a tar archive'],
      ['the half of a packed one', gzipSync(dockerArchive(['a:1'], 5000).bytes).subarray(0, 150), 'archive'],
      ['other files', tarOf({ 'notes.txt': 'hello' }), 'neither manifest.json nor index.json'],
      [
        'a path that climbs out',
        tarOf({ '../manifest.json': manifest('evil:1'), '/etc/cron.d/x': 'x' }),
        'neither manifest.json nor index.json',
      ],
      [
        'a manifest that is far too large',
        tarOf({ 'manifest.json': `${' '.repeat(5_000_000)}${manifest('large:1')}` }),
        'neither manifest.json nor index.json',
      ],
    ])('that is %s is refused with the reason, and leaves no file and no job', async (_, bytes, reason) => {
      const jobs = await app.client.get<unknown[]>('/api/v1/jobs');
      const answer = await upload(bytes);
      expect([answer.status, (answer.body as ErrorResponse).code]).toEqual([422, 'archive_refused']);
      expect((answer.body as ErrorResponse).message).toContain(reason);
      expect(await archives()).toEqual([]);
      expect(await app.client.get<unknown[]>('/api/v1/jobs')).toHaveLength(jobs.length);
    });

    it('of another type is refused before it is read', async () => {
      const answer = await upload(dockerArchive(['a:1']).bytes, 'text/plain');
      expect([answer.status, (answer.body as ErrorResponse).code]).toEqual([415, 'unsupported_media_type']);
    });
  });

  describe('that no cluster needs', () => {
    const usage = async (): Promise<DiskUsageDto> => {
      const [demo] = await app.client.get<DiskUsageDto[]>('/api/v1/images/usage');
      if (!demo) throw new Error('the demo is not there');
      return demo;
    };
    const prune = async (body: unknown): Promise<JobWithLogDto> => {
      const answer = await app.client.send('POST', '/api/v1/images/prune', { body });
      expect([answer.status, answer.text]).toEqual([202, expect.any(String)]);
      return await jobEnded(app.client, (answer.body as { job_id: number }).job_id);
    };

    it('are told from those that one does, volumes too', async () => {
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

    it('are removed by a job, and what is needed stays although it was named', async () => {
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
      expect(job.warnings.map((warning) => /(.*) stays: (.*)/.exec(warning)?.slice(1))).toEqual([
        ['docker.io/kindest/node:v1.34.4', 'shop needs it.'],
        ['the volume of shop-control-plane', 'shop uses it.'],
        ['the volume of shop-worker', 'shop uses it.'],
      ]);
      expect(await usage()).toMatchObject({ freeable_bytes: 0, node_images: [{}], volumes: [{}, {}] });
      const { entries } = await app.client.get<JournalPageDto>('/api/v1/journal/recent?kind=prune');
      expect(entries[0]).toMatchObject({ cluster: null, outcome: 'succeeded' });
    });

    it('are named one by one, or nothing is begun', async () => {
      for (const body of [
        { runtime: 'demo' },
        { runtime: 'demo', images: ['kindest/node:v1.34.4'] },
        { runtime: 'demo', volumes: ['../../etc'] },
        { runtime: 'demo', volumes: ['my-database'] },
        { images: [] },
      ]) {
        const answer = await app.client.send('POST', '/api/v1/images/prune', { body });
        expect([body, answer.status]).toEqual([body, 400]);
      }
    });
  });
});
