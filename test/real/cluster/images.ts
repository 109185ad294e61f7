import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type {
  ClusterImagesDto,
  EngineImageDto,
} from '../../../backend/src/modules/images/common/image.dto.js';
import type {
  DiskUsageDto,
  NodeImageUsageDto,
} from '../../../backend/src/modules/images/common/usage.dto.js';
import type { JobWithLogDto } from '../../../backend/src/modules/jobs/job.dto.js';
import { waitFor } from '../../support/wait-for.js';
import { deleteWithKind, leftOf, NOTHING, run, tracesOf } from '../support/engines.js';
import { buildImage } from '../support/images.js';
import { NODE_PORT, type RealCluster } from '../support/real-cluster.js';
import { isAll } from '../support/scope.js';

/** An image with the name of a node image. */
const UNUSED = 'docker.io/kindest/node:v0.0.1-unused';

export function testImages(cluster: RealCluster): void {
  const { engine, name, nodes, folder } = cluster;
  const copy = `${name}-2`;
  // Podman adds localhost/ to images that it builds.
  const local = engine === 'podman' ? 'localhost/' : '';
  const built = `${local}slipway-test/app:dev`;

  beforeAll(async () => {
    await deleteWithKind(engine, copy);
    await buildImage(engine, 'slipway-test/app:dev', folder);
  });

  afterAll(async () => {
    await deleteWithKind(engine, copy);
    await run(engine, ['image', 'rm', '--force', built, UNUSED]).catch(() => undefined);
  });

  const load = async (images: string[]): Promise<JobWithLogDto> => {
    const { status, body } = await cluster.product.call<{ job_id: number }>(
      'POST',
      `/clusters/${name}/images/load`,
      {
        images,
      },
    );
    expect([status, body]).toEqual([202, expect.anything()]);
    return await cluster.product.ended(body.job_id);
  };
  const inNodes = async (): Promise<ClusterImagesDto> =>
    (await cluster.product.call<ClusterImagesDto>('GET', `/clusters/${name}/images`)).body;

  /** Runs a Pod that never pulls its image. @returns its output. */
  const runPod = async (pod: string, image: string): Promise<string> => {
    await cluster.serviceAccount();
    await cluster.kubectl('run', pod, `--image=${image}`, '--image-pull-policy=Never', '--restart=Never');
    const hasEnded = async (): Promise<boolean> => {
      const phase = await cluster.kubectl('get', 'pod', pod, '--output=jsonpath={.status.phase}');
      if (phase === 'Failed') throw new Error(await cluster.kubectl('describe', 'pod', pod));
      return phase === 'Succeeded';
    };
    await waitFor(hasEnded, `the end of Pod ${pod}`, 60_000);
    return await cluster.kubectl('logs', pod);
  };

  it('lists the images of the engine, and the clusters that use them', async () => {
    const { body } = await cluster.product.call<EngineImageDto[]>('GET', `/images?runtime=${engine}`);
    const ids = (await run(engine, ['images', '--no-trunc', '--quiet'])).split('\n');
    expect(new Set(body.map(({ id }) => id))).toEqual(
      new Set(ids.map((id) => (id.startsWith('sha256:') ? id : `sha256:${id}`))),
    );
    const own = body.find(({ references }) => references.includes(built));
    expect(own).toMatchObject({ is_node_image: false, used_by: [] });
    expect(own?.architecture).toMatch(/^(amd64|arm64)$/);
    expect(own?.warnings.length).toBe(engine === 'podman' ? 1 : 0);
    const node = body.find((image) => image.used_by.some((user) => user.name === name));
    expect(node).toMatchObject({ is_node_image: true });
  });

  it('loads an image into every node, and a Pod runs it', async () => {
    const job = await load([built]);
    expect([job.state, job.error, job.result]).toEqual(['succeeded', null, { loaded: [built] }]);
    const { images, nodes: listed } = await inNodes();
    expect(listed).toEqual(nodes.map((node) => ({ name: node, reason: null })));
    const found = images.find(({ references }) => references.some((name) => name.endsWith(built)));
    expect(found).toMatchObject({ nodes, part_of_kubernetes: false });
    expect(images.filter(({ part_of_kubernetes }) => part_of_kubernetes).length).toBeGreaterThan(5);
    expect(await runPod('loaded', built)).toContain('kind v');
    expect(readdirSync(join(cluster.product.dataDirectory, 'archives'))).toEqual([]);
  });

  it('skips an image that every node has', async () => {
    const job = await load([built]);
    expect(job).toMatchObject({ state: 'succeeded', result: { present: [built] } });
    expect(job.progress_log.some(({ text }) => text.includes('kind load'))).toBe(false);
  });

  if (!isAll) return;

  it.each(engine === 'podman' ? ['docker-archive', 'oci-archive'] : ['docker-archive'])(
    'loads an uploaded %s, and a Pod runs its image',
    async (format) => {
      const reference = `${local}slipway-test/${format}:dev`;
      const archive = join(folder, `${format}.tar`);
      await run(engine, ['tag', built, reference]);
      await run(engine, [
        'save',
        ...(engine === 'podman' ? [`--format=${format}`] : []),
        `--output=${archive}`,
        reference,
      ]);
      await run(engine, ['rmi', reference]);
      const { status, body } = await cluster.product.call<{ job_id: number }>(
        'POST',
        `/clusters/${name}/images/upload`,
        readFileSync(archive),
        { 'content-type': 'application/x-tar' },
      );
      expect([status, body]).toEqual([202, expect.anything()]);
      const job = await cluster.product.ended(body.job_id);
      expect([job.state, job.error]).toEqual(['succeeded', null]);
      expect(await runPod(format, reference)).toContain('kind v');
    },
  );

  it('rejects loading into a paused node with cluster_state', async () => {
    await run(engine, ['pause', `${name}-worker`]);
    try {
      const { nodes } = await inNodes();
      expect(nodes.map(({ name: node, reason }) => [node, reason])).toEqual([
        [`${name}-control-plane`, null],
        [`${name}-worker`, 'the node is paused'],
      ]);
      const { status, body } = await cluster.product.call<{ code: string }>(
        'POST',
        `/clusters/${name}/images/load`,
        {
          images: [built],
          nodes: [`${name}-worker`],
        },
      );
      expect([status, body.code]).toEqual([409, 'cluster_state']);
    } finally {
      await run(engine, ['unpause', `${name}-worker`]);
    }
  });

  it('removes unused images, and skips those in use', async () => {
    await buildImage(engine, UNUSED, folder);
    const usage = async (): Promise<NodeImageUsageDto[]> => {
      const { body } = await cluster.product.call<DiskUsageDto[]>('GET', '/images/usage');
      return body.find(({ runtime }) => runtime === engine)?.node_images ?? [];
    };
    const unused = (await usage()).find(({ references }) => references.some((one) => UNUSED.endsWith(one)));
    const needed = (await usage()).find(({ used_by }) => used_by.some((user) => user.name === name));
    expect([unused?.removable, needed?.removable]).toEqual([true, false]);
    const { status, body } = await cluster.product.call<{ job_id: number }>('POST', '/images/prune', {
      runtime: engine,
      images: [unused?.id, needed?.id],
    });
    expect([status, body]).toEqual([202, expect.anything()]);
    const job = await cluster.product.ended(body.job_id);
    expect([job.state, job.error, job.result]).toMatchObject([
      'succeeded',
      null,
      { images: unused?.references },
    ]);
    expect(job.warnings).toEqual([
      expect.stringMatching(new RegExp(`^Skipped .*: .*${name}.* uses? it\\.$`)),
    ]);
    const ids = (await usage()).map(({ id }) => id);
    expect([ids.includes(unused?.id ?? ''), ids.includes(needed?.id ?? '')]).toEqual([false, true]);
    await expect(run(engine, ['image', 'inspect', UNUSED])).rejects.toThrow();
  });

  it('clones the cluster with other ports and without the loaded images', async () => {
    const { status, body } = await cluster.product.call<{ job_id: number }>(
      'POST',
      `/clusters/${name}/clone`,
      {
        name: copy,
      },
    );
    expect([status, body]).toEqual([202, expect.anything()]);
    const job = await cluster.product.ended(body.job_id);
    expect([job.state, job.error]).toEqual(['succeeded', null]);
    expect(job.result).toMatchObject({
      source: name,
      moves: [{ from: cluster.port, to: expect.any(Number) }],
    });
    const [{ to } = { to: 0 }] = (job.result as { moves: { to: number }[] }).moves;
    const published = (one: string): Promise<string> =>
      run(engine, ['port', `${one}-control-plane`, `${NODE_PORT}/tcp`]);
    expect(await Promise.all([name, copy].map(published))).toEqual([
      `127.0.0.1:${cluster.port}`,
      `127.0.0.1:${to}`,
    ]);
    const clusters = (await cluster.product.clusters()).filter((one) => [name, copy].includes(one.name));
    expect(clusters.map(({ state }) => state)).toEqual(['running', 'running']);
    const held = await cluster.product.call<ClusterImagesDto>('GET', `/clusters/${copy}/images`);
    const names = held.body.images.flatMap(({ references }) => references);
    expect(names.length).toBeGreaterThan(5);
    // A node image may contain more images than those of Kubernetes.
    expect(names.filter((reference) => reference.includes('slipway-test/'))).toEqual([]);
    const had = await tracesOf(engine, copy);
    expect((await cluster.product.call('DELETE', `/clusters/${copy}`)).status).toBe(200);
    expect(await leftOf(engine, copy, had)).toEqual(NOTHING);
  });
}
