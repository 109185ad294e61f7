import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { ErrorDto } from '../../backend/src/core/api/index.js';
import type { ClusterDto, DeletionDto } from '../../backend/src/modules/clusters/inventory/cluster.dto.js';
import type { EngineName } from '../transcripts/transcript.js';
import { ConfigOf } from './support/config-of.js';
import { deleteWithKind, engines, leftOf, createWithKind, NOTHING, tracesOf } from './support/engines.js';
import { Product } from './support/product.js';

jest.setTimeout(240_000);

describe('clusters with the same name on both engines', () => {
  const name = 'adopted-twice';
  const folder = mkdtempSync(join(tmpdir(), 'slipway-twice-'));
  let product: Product;

  beforeAll(async () => {
    const create = async (engine: EngineName): Promise<void> => {
      await deleteWithKind(engine, name);
      await createWithKind(engine, name, join(folder, engine));
    };
    await Promise.all(engines.map(create));
    product = await Product.started();
  });

  afterAll(async () => {
    await product.discard();
    for (const engine of engines) await deleteWithKind(engine, name);
    rmSync(folder, { recursive: true, force: true });
  });

  const path = (runtime: string, rest = ''): string => `/clusters/${name}${rest}?runtime=${runtime}`;
  const stateOf = async (runtime: string): Promise<string> =>
    (await product.call<ClusterDto>('GET', path(runtime))).body.state;

  it('are selected by ?runtime, and rejected without it with cluster_ambiguous', async () => {
    const { status, body } = await product.call<ErrorDto>('GET', `/clusters/${name}`);
    expect([status, body.code, body.details]).toEqual([409, 'cluster_ambiguous', { runtimes: [...engines] }]);
    const ports = new Set<string | null>();
    for (const engine of engines) {
      const { body: one } = await product.call<ClusterDto>('GET', path(engine));
      expect(one).toMatchObject({ name, runtime: engine, state: 'running' });
      ports.add(one.api_server);
    }
    expect(ports.size).toBe(engines.length);
  });

  it('have separate configs', async () => {
    for (const engine of engines) {
      const config = new ConfigOf(product, path(engine, '/config'));
      const { config: text, etag } = await config.read();
      await config.replace(`${text}# on ${engine}\n`, etag);
    }
    for (const engine of engines) {
      const { config } = await new ConfigOf(product, path(engine, '/config')).read();
      expect(config).toContain(`# on ${engine}\n`);
    }
    expect(product.readData('clusters', `${name}@${engines[1]}`, 'cluster.yaml')).toContain(
      `# on ${engines[1]}`,
    );
  });

  it('stop independently', async () => {
    const [first = 'docker', second = 'podman'] = engines;
    const { body } = await product.call<{ job_id: number }>('POST', path(second, '/stop'), {});
    expect(await product.ended(body.job_id)).toMatchObject({ state: 'succeeded', runtime: second });
    expect([await stateOf(first), await stateOf(second)]).toEqual(['running', 'stopped']);
  });

  it('reject a third with cluster_exists, and are deleted one by one', async () => {
    const [first = 'docker', second = 'podman'] = engines;
    const request = { name, workers: 0, node_image_tag: await product.nodeImageTag() };
    expect(await product.call<ErrorDto>('POST', '/clusters', request)).toMatchObject({
      status: 409,
      body: { code: 'cluster_exists' },
    });
    const had = await tracesOf(first, name);
    expect((await product.call<DeletionDto>('DELETE', path(first))).status).toBe(200);
    expect(await leftOf(first, name, had)).toEqual(NOTHING);
    // The name is not ambiguous any more.
    const { body } = await product.call<ClusterDto>('GET', `/clusters/${name}`);
    expect(body).toMatchObject({ runtime: second, state: 'stopped', origin: 'adopted' });
    const { config } = await new ConfigOf(product, `/clusters/${name}/config`).read();
    expect(config).toContain(`# on ${second}\n`);
  });
});
