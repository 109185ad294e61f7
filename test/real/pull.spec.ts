import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { JobWithLogDto } from '../../backend/src/modules/jobs/job.dto.js';
import { PodmanService } from '../support/registry/podman-service.js';
import { serveRandomImage } from '../support/registry/random-image.js';
import { RegistryServer } from '../support/registry/registry-server.js';
import { deleteWithKind, engines, run, tracesOf } from './support/engines.js';
import { hasEnded, Product } from './support/product.js';

jest.setTimeout(300_000);

/** An image with the name of a node image and random content. */
const TAG = 'v1.34.0';
const PULLED = { layers: 8, layerBytes: 8_000_000, bytesPerSecond: 3_000_000, tag: TAG };

describe.each(engines)('a node image that %s pulls', (engine) => {
  const name = `pulled-${engine}`;
  const environment: Record<string, string> = {};
  let folder: string;
  let registry: RegistryServer;
  let service: PodmanService | undefined;
  let product: Product;
  let image: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'slipway-pull-'));
    registry = await RegistryServer.start();
    serveRandomImage(registry, PULLED);
    image = `${registry.address}/kindest/node:${TAG}`;
    environment['APP_NODE_IMAGE_REPOSITORY'] = `${registry.address}/kindest/node`;
    if (engine === 'podman') {
      service = await PodmanService.start(folder, registry.address);
      environment['APP_PODMAN_SOCKET'] = service.socket;
    }
    product = await Product.started(environment);
  });

  afterAll(async () => {
    await product.discard();
    await deleteWithKind(engine, name);
    await run(engine, ['rmi', '--force', image]).catch(() => undefined);
    await service?.stop();
    await registry.stop();
    await rm(folder, { recursive: true, force: true });
  });

  it('reports bytes and percent before kind starts', async () => {
    const id = await product.create({ name, workers: 0, node_image_tag: TAG, runtime: engine });
    const seen = await product.follow(id, hasEnded);
    const pulling = seen.filter((job) => stateOf(job, 'node-image') === 'running');
    const megabytes = pulling
      .map((job) => job.progress_steps.find((step) => step.name === 'node-image')?.detail ?? '')
      .map((detail) => Number(/^(\d+) of \d+ MB/.exec(detail)?.[1] ?? -1))
      .filter((count) => count >= 0);
    expect(megabytes).toEqual([...megabytes].sort((one, other) => one - other));
    expect(new Set(megabytes).size).toBeGreaterThanOrEqual(5);
    const percents = pulling.map((job) => job.progress_percent);
    expect(percents).toEqual([...percents].sort((one, other) => one - other));
    expect(new Set(percents).size).toBeGreaterThanOrEqual(5);
    // The pull ends before kind starts. kind then fails with the random content.
    const last = seen.at(-1);
    expect(stateOf(last, 'node-image')).toBe('succeeded');
    expect([last?.state, last?.error?.command]).toEqual([
      'failed',
      expect.stringContaining('kind create cluster'),
    ]);
    await run(engine, ['image', 'inspect', image]);
    expect((await tracesOf(engine, name)).containers).toEqual([]);
    expect((await product.call('DELETE', `/clusters/${name}`)).status).toBe(200);
  });

  it('fails with image_not_pulled, the image and the reason', async () => {
    const { body } = await product.call<{ job_id: number }>('POST', '/clusters', {
      name,
      config: `kind: Cluster\napiVersion: kind.x-k8s.io/v1alpha4\nnodes:\n  - role: control-plane\n    image: 127.0.0.1:1/no/such:v1.2.3\n`,
      runtime: engine,
      accept_host_access: true,
    });
    const job = await product.ended(body.job_id);
    expect(job).toMatchObject({ state: 'failed', error: { code: 'image_not_pulled' } });
    expect(job.error?.message).toContain('127.0.0.1:1/no/such:v1.2.3');
    expect((await tracesOf(engine, name)).containers).toEqual([]);
  });
});

function stateOf(job: JobWithLogDto | undefined, step: string): string | undefined {
  return job?.progress_steps.find((candidate) => candidate.name === step)?.state;
}
