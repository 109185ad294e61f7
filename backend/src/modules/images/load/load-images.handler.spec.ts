import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { dockerArchive } from '../../../../../test/support/images/archives.js';
import { JobBench, ScriptedHandler } from '../../../../../test/support/jobs/job-bench.js';
import { FakeRegistry, FakeRuntime, runningNode } from '../../../../../test/support/runtime/fake-runtime.js';
import { strictFake } from '../../../../../test/support/strict-fake.js';
import { readConfiguration } from '../../../core/config/index.js';
import { DataDirectory } from '../../../core/storage/index.js';
import { ClusterProvisioner, ProvisionerSelector } from '../../../drivers/provisioner/index.js';
import type { EngineImage, NodeExecution } from '../../../drivers/runtime/index.js';
import type { Job } from '../../jobs/index.js';
import { ArchiveStore } from './archive-store.js';
import { LoadImagesHandler, type LoadImagesInput } from './load-images.handler.js';

const WEB = 'docker.io/shop/web:1';
const ARCHIVE = dockerArchive([WEB], 1000);
const NODES = ['c-control-plane', 'c-worker'];

class Engine extends FakeRuntime {
  architecture = 'amd64';
  /** The nodes that have the image. */
  readonly loaded: string[] = [];
  saves = 0;
  tag = WEB;

  override allImages(): Promise<EngineImage[]> {
    const image = { references: [], digests: [], sizeBytes: 1000, createdAt: null };
    return Promise.resolve([
      { ...image, id: 'sha256:node', architecture: 'amd64' },
      { ...image, id: ARCHIVE.id, architecture: this.architecture },
    ]);
  }

  override saveImage(): Promise<Readable> {
    this.saves += 1;
    return Promise.resolve(Readable.from([ARCHIVE.bytes]));
  }

  override execInNode(...[id]: [id?: string]): Promise<NodeExecution> {
    const has = this.loaded.includes(id?.replace('id-of-', '') ?? '');
    const images = has ? [{ id: ARCHIVE.id, repoTags: [this.tag] }] : [];
    return Promise.resolve({ exitCode: 0, stdout: JSON.stringify({ images }), stderr: '' });
  }
}

describe('LoadImagesHandler', () => {
  let folder: string;
  let bench: JobBench;
  let engine: Engine;
  let archives: ArchiveStore;
  let directory: DataDirectory;
  let handler: LoadImagesHandler;
  let loads: string[];

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'slipway-load-'));
    bench = new JobBench(new ScriptedHandler());
    engine = new Engine();
    engine.nodes = NODES.map((name) => runningNode(name, { imageId: 'sha256:node' }));
    loads = [];
    directory = DataDirectory.open(readConfiguration({ APP_DATA_DIR: folder }));
    mkdirSync(directory.archives);
    archives = new ArchiveStore(directory);
    const provisioner = strictFake(ClusterProvisioner, {
      loadArchive: ({ node }) => {
        loads.push(node);
        engine.loaded.push(node);
        return Promise.resolve();
      },
    });
    const provisioners = strictFake(ProvisionerSelector, { for: () => provisioner });
    handler = new LoadImagesHandler(new FakeRegistry([engine]), provisioners, archives);
    bench.jobs.register(handler);
  });

  afterEach(async () => {
    await bench.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const input = (more: Partial<LoadImagesInput> = {}): LoadImagesInput => ({
    name: 'c',
    runtime: 'docker',
    nodes: NODES,
    images: [{ reference: WEB, id: ARCHIVE.id, sizeBytes: 1000 }],
    archive: null,
    ...more,
  });
  const uploaded = (references: readonly string[]): LoadImagesInput => {
    const file = archives.newName();
    writeFileSync(join(directory.archives, file), ARCHIVE.bytes);
    const images = [{ id: ARCHIVE.id, references: [...references] }];
    return input({ images: [], archive: { file, sizeBytes: 1000, images } });
  };
  const run = (given: LoadImagesInput): Promise<Job> =>
    bench.jobs.whenEnded(bench.jobs.submit('load-images', { runtime: 'docker', name: 'c' }, given).id);
  const files = (): string[] => readdirSync(directory.archives);

  it('saves an image, loads it into the nodes without it, and removes the file', async () => {
    engine.loaded.push('c-worker');
    expect(await run(input())).toMatchObject({
      state: 'succeeded',
      result: { loaded: [WEB] },
      warnings: [],
      message: `Loaded ${WEB} into 2 nodes of c.`,
    });
    expect([loads, files()]).toEqual([['c-control-plane'], []]);
  });

  it('does not save an image that is on all nodes', async () => {
    engine.loaded.push(...NODES);
    expect(await run(input())).toMatchObject({
      result: { present: [WEB] },
      message: `Nothing to do: ${WEB} is already on 2 nodes of c.`,
    });
    expect([engine.saves, loads]).toEqual([0, []]);
  });

  it('warns of another architecture and of the tag latest', async () => {
    engine.architecture = 'arm64';
    const { warnings } = await run(input());
    expect(warnings).toEqual([
      `${WEB} is built for arm64, but the nodes are amd64. Its containers may not start.`,
    ]);
    engine.tag = 'docker.io/shop/web:latest';
    const { warnings: latest } = await run(uploaded(['shop/web']));
    expect(latest).toEqual([expect.stringContaining('imagePullPolicy')]);
  });

  it('loads an uploaded archive and removes it', async () => {
    expect(await run(uploaded([WEB]))).toMatchObject({ state: 'succeeded', result: { loaded: [WEB] } });
    expect([loads, files()]).toEqual([NODES, []]);
  });

  it.each([
    ['exited', 'Node c-worker is exited. Start cluster c and load the images again.'],
    ['removed', 'Node c-worker no longer exists. Start cluster c and load the images again.'],
  ] as const)('fails with node_unavailable for a node that is %s', async (state, message) => {
    engine.nodes = engine.nodes.flatMap((node) =>
      node.name !== 'c-worker' ? [node] : state === 'exited' ? [{ ...node, state }] : [],
    );
    expect(await run(input())).toMatchObject({
      error: { code: 'node_unavailable', message },
      message: `Failed at Checking nodes: ${message} Nothing was loaded. Load the missing images again.`,
    });
  });

  it('removes the archive of an interrupted job', async () => {
    const given = uploaded([WEB]);
    expect(await handler.recover(given)).toBe(false);
    expect(files()).toEqual([]);
  });

  it('describes images and nodes in its messages', () => {
    const [image] = input().images;
    if (!image) throw new Error('no image');
    const many = input({ images: [image, image, image, image], nodes: ['c-worker'] });
    expect(handler.title(many)).toBe('Load 4 images into c');
    const job = { result: { loaded: [WEB] }, steps: [] } as unknown as Job;
    const conclusion = { job, log: () => [], undone: [], reason: null, completed: false };
    expect(handler.describe(many, { ...conclusion, outcome: 'cancelled', step: 'Loading x' })).toBe(
      `Canceled at Loading x. Already loaded: ${WEB}. Load the missing images again.`,
    );
  });
});
