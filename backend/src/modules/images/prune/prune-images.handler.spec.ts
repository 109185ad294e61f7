import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { JobBench, ScriptedHandler } from '../../../../../test/support/jobs/job-bench.js';
import { FakeRegistry, FakeRuntime } from '../../../../../test/support/runtime/fake-runtime.js';
import { strictFake } from '../../../../../test/support/strict-fake.js';
import { DomainError } from '../../../core/errors/index.js';
import type { EngineImage } from '../../../drivers/runtime/index.js';
import { ENGINE_ITSELF, type Job } from '../../jobs/index.js';
import type { DiskUsageDto, NodeImageUsageDto, NodeVolumeUsageDto } from '../common/usage.dto.js';
import { DiskUsageService } from './disk-usage.service.js';
import { PruneImagesHandler } from './prune-images.handler.js';

const VOLUME = 'a'.repeat(64);
const OTHER_VOLUME = 'b'.repeat(64);

class Engine extends FakeRuntime {
  readonly removals: string[] = [];
  onRemoval: (id: string) => void = () => undefined;

  override removeImage(...[image]: [image?: Pick<EngineImage, 'id'>]): Promise<void> {
    return this.remove(image?.id ?? '');
  }

  override removeVolume(...[name]: [name?: string]): Promise<void> {
    return this.remove(name ?? '');
  }

  private async remove(id: string): Promise<void> {
    this.onRemoval(id);
    this.removals.push(id);
  }
}

const image = (id: string, users: string[] = []): NodeImageUsageDto => ({
  id,
  references: [`kindest/node:${id}`],
  size_bytes: 1e9,
  used_by: users.map((name) => ({ name, runtime: 'docker' })),
  removable: users.length === 0,
});
const volume = (name: string, cluster: string | null): NodeVolumeUsageDto => ({
  name,
  node: 'old-worker',
  cluster,
  size_bytes: 5e8,
  created_at: null,
  removable: cluster === null,
});

describe('PruneImagesHandler', () => {
  let bench: JobBench;
  let engine: Engine;
  let usage: Pick<DiskUsageDto, 'node_images' | 'volumes'>;
  let forgotten: string[];

  beforeEach(() => {
    bench = new JobBench(new ScriptedHandler());
    engine = new Engine();
    forgotten = [];
    const service = strictFake(DiskUsageService, {
      now: () =>
        Promise.resolve({
          ...usage,
          runtime: 'docker',
          reason: null,
          measuring: false,
          freeable_bytes: 0,
          disk_total_bytes: null,
          disk_free_bytes: null,
        }),
      forget: (id) => void forgotten.push(id),
    });
    bench.jobs.register(new PruneImagesHandler(new FakeRegistry([engine]), service));
  });

  afterEach(() => bench.close());

  const prune = async (images: string[], volumes: string[] = []): Promise<Job> => {
    const input = { runtime: 'docker', images, volumes };
    const { id } = bench.jobs.submit('prune', { runtime: 'docker', name: ENGINE_ITSELF }, input);
    return await bench.jobs.whenEnded(id);
  };

  it('removes selected unused images and volumes, and drops cached sizes', async () => {
    usage = { node_images: [image('1'), image('2')], volumes: [volume(VOLUME, null)] };
    expect(await prune(['1'], [VOLUME])).toMatchObject({
      state: 'succeeded',
      warnings: [],
      result: { images: ['kindest/node:1'], volumes: [VOLUME], freed_bytes: 1.5e9 },
      message: 'Removed 1 node image and 1 node volume from docker, and freed up to 1.5 GB.',
    });
    expect([engine.removals, forgotten]).toEqual([['1', VOLUME], ['docker']]);
  });

  it('skips what is in use or no longer exists', async () => {
    usage = { node_images: [image('1', ['shop', 'till'])], volumes: [volume(VOLUME, 'shop')] };
    const { warnings } = await prune(['1', '2'], [VOLUME, OTHER_VOLUME]);
    expect(warnings).toEqual([
      'Skipped kindest/node:1: shop, till use it.',
      'Skipped volume of old-worker: shop uses it.',
      `Skipped volume ${'b'.repeat(12)}: it is in use or no longer exists.`,
    ]);
    expect(engine.removals).toEqual([]);
  });

  it('checks each image again before its removal', async () => {
    usage = { node_images: [image('1'), image('2')], volumes: [] };
    engine.onRemoval = () => {
      usage = { node_images: [image('2', ['late'])], volumes: [] };
    };
    expect((await prune(['1', '2'])).warnings).toEqual(['Skipped kindest/node:2: late uses it.']);
    expect(engine.removals).toEqual(['1']);
  });

  it('skips an image that the engine reports as in use', async () => {
    usage = { node_images: [image('1')], volumes: [] };
    engine.onRemoval = () => {
      throw new DomainError('image_in_use', 'docker keeps it for container late.');
    };
    expect(await prune(['1'])).toMatchObject({
      state: 'succeeded',
      result: null,
      warnings: ['Skipped kindest/node:1: docker keeps it for container late.'],
    });
  });

  it('reports the removed objects if it fails', async () => {
    usage = { node_images: [image('1'), image('2')], volumes: [] };
    engine.onRemoval = (id) => {
      if (id === '2') throw new Error('no space');
    };
    expect((await prune(['1', '2'])).message).toBe(
      'Failed at Removing node images: no space. Removed 1 node image and 0 node volumes from docker, and freed up to 1.0 GB.',
    );
  });
});
