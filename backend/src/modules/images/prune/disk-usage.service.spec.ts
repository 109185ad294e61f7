import { beforeEach, describe, expect, it } from '@jest/globals';
import { FakeRegistry, FakeRuntime, runningNode } from '../../../../../test/support/runtime/fake-runtime.js';
import { strictFake } from '../../../../../test/support/strict-fake.js';
import { readConfiguration } from '../../../core/config/index.js';
import { DomainError } from '../../../core/errors/index.js';
import { AppLogger } from '../../../core/logging/index.js';
import type { EngineImage, EngineVolume } from '../../../drivers/runtime/index.js';
import { ClusterStore, NodeInventory, type ClusterMeta } from '../../clusters/index.js';
import { EngineImagesService } from '../common/engine-images.service.js';
import { ImageUsers } from '../common/image-users.js';
import type { NodeVolumeUsageDto } from '../common/usage.dto.js';
import { DiskUsageService } from './disk-usage.service.js';

const NAME = 'a'.repeat(64);
const OLD = new Date(Date.now() - 60 * 60_000).toISOString();

class Engine extends FakeRuntime {
  images: EngineImage[] = [];
  volumes: EngineVolume[] = [];
  measure: () => Promise<ReadonlyMap<string, number>> = () => Promise.resolve(new Map([[NAME, 5]]));

  override allImages(): Promise<EngineImage[]> {
    return Promise.resolve(this.images);
  }

  override listVolumes(): Promise<EngineVolume[]> {
    return Promise.resolve(this.volumes);
  }

  override measureVolumes(): Promise<ReadonlyMap<string, number>> {
    return this.measure();
  }
}

describe('DiskUsageService', () => {
  let engine: Engine;
  let service: DiskUsageService;
  let saved: Pick<ClusterMeta, 'name' | 'runtime'>[];
  let config: string;

  beforeEach(() => {
    engine = new Engine('podman');
    [saved, config] = [[], ''];
    const registry = new FakeRegistry([engine]);
    const inventory = strictFake(NodeInventory, {
      read: () => Promise.resolve([{ runtime: 'podman', nodes: engine.nodes, reason: null, since: null }]),
    });
    const store = strictFake(ClusterStore, {
      list: () => Promise.resolve(saved as ClusterMeta[]),
      readConfig: () => Promise.resolve(config),
    });
    const configuration = readConfiguration({});
    const users = new ImageUsers(inventory, store);
    const images = new EngineImagesService(configuration, registry, users);
    const logger = AppLogger.create(configuration, { write: () => undefined });
    service = new DiskUsageService(registry, inventory, store, images, users, logger);
  });

  const nodeImage = (tag: string): EngineImage => ({
    id: `sha256:${tag}`,
    references: [`docker.io/kindest/node:${tag}`],
    digests: [],
    sizeBytes: 1000,
    createdAt: null,
    architecture: 'amd64',
  });
  const volume = (more: Partial<EngineVolume> = {}): EngineVolume => ({
    name: NAME,
    labels: { 'old-worker': 'true' },
    createdAt: OLD,
    usedBy: [],
    ...more,
  });
  const volumes = async (): Promise<NodeVolumeUsageDto[]> => (await service.now(engine)).volumes;

  it('marks node images as removable unless a node or a saved config uses them', async () => {
    engine.images = ['v1.34.4', 'v1.33.1', 'v1.32.0', 'v1.31.0'].map(nodeImage);
    engine.images.push({ ...nodeImage('x'), references: ['docker.io/shop/web:1'] });
    engine.nodes = [
      runningNode('c-worker', { image: 'kindest/node:v1.34.4' }),
      runningNode('c-worker2', { image: 'renamed', imageId: 'sha256:v1.33.1' }),
    ];
    saved = [{ name: 'saved', runtime: 'podman' }];
    config = `kind: Cluster\napiVersion: kind.x-k8s.io/v1alpha4\nnodes:\n- role: control-plane\n  image: kindest/node:v1.32.0@sha256:${'0'.repeat(64)}\n`;
    const { node_images } = await service.now(engine);
    expect(node_images.map(({ id, used_by, removable }) => [id, used_by[0]?.name, removable])).toEqual([
      ['sha256:v1.34.4', 'c', false],
      ['sha256:v1.33.1', 'c', false],
      ['sha256:v1.32.0', 'saved', false],
      ['sha256:v1.31.0', undefined, true],
    ]);
  });

  it('lists an unused volume of a deleted Podman node as removable', async () => {
    engine.volumes = [volume()];
    expect(await volumes()).toMatchObject([{ node: 'old-worker', cluster: null, removable: true }]);
  });

  it('lists the volume of an existing node as in use', async () => {
    engine.nodes = [runningNode('c-worker')];
    engine.volumes = [volume({ usedBy: ['c-worker'] })];
    expect(await volumes()).toMatchObject([{ node: 'c-worker', cluster: 'c', removable: false }]);
  });

  it.each<[string, Partial<EngineVolume>]>([
    ['a chosen name', { name: 'database' }],
    ['no label', { labels: {} }],
    ['another label', { labels: { backup: 'true' } }],
    ['two labels', { labels: { 'old-worker': 'true', backup: 'true' } }],
    ['a label with another value', { labels: { 'old-worker': 'mine' } }],
    ['a container', { usedBy: ['database'] }],
    ['a recent creation', { createdAt: new Date().toISOString() }],
    ['an unknown creation time', { createdAt: null }],
    ['a saved cluster', { labels: { 'saved-worker': 'true' } }],
  ])('does not list a volume with %s', async (_difference, more) => {
    saved = [{ name: 'saved', runtime: 'docker' }];
    engine.volumes = [volume(more)];
    expect(await volumes()).toEqual([]);
  });

  it('adds measured sizes, and works without them', async () => {
    engine.volumes = [volume()];
    expect(await service.read()).toMatchObject([
      { freeable_bytes: 5, measuring: false, volumes: [{ size_bytes: 5 }] },
    ]);
    service.forget('podman');
    engine.measure = () => Promise.reject(new Error('no'));
    expect(await service.read()).toMatchObject([{ freeable_bytes: 0, volumes: [{ size_bytes: null }] }]);
  });

  it('returns before a slow measurement has ended', async () => {
    engine.volumes = [volume()];
    engine.measure = () => new Promise(() => undefined);
    expect(await service.read()).toMatchObject([{ measuring: true, volumes: [{ size_bytes: null }] }]);
  });

  it('returns the reason for an unavailable engine', async () => {
    engine.list = () => Promise.reject(new DomainError('runtime_unavailable', 'podman is away.'));
    expect(await service.read()).toMatchObject([
      { runtime: 'podman', reason: 'podman is away.', node_images: [], volumes: [] },
    ]);
  });
});
