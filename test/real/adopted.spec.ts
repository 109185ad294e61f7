import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { ClusterDto, DeletionDto } from '../../backend/src/modules/clusters/cluster.dto.js';
import { deleteWithKind, engines, makeWithKind, leftOf, NOTHING, tracesOf } from './support/engines.js';
import { Product } from './support/product.js';

jest.setTimeout(240_000);

describe.each(engines)('a cluster that kind made outside the product on %s', (engine) => {
  // Dots and a long name are kind's grammar and not ours.
  const name = `adopted.${engine}`;
  const folder = mkdtempSync(join(tmpdir(), 'slipway-adopted-'));
  let product: Product;

  beforeAll(async () => {
    await deleteWithKind(engine, name);
    await makeWithKind(engine, name, join(folder, 'kubeconfig'));
    product = await Product.started();
  });

  afterAll(async () => {
    await product.discard();
    await deleteWithKind(engine, name);
    rmSync(folder, { recursive: true, force: true });
  });

  it('is listed as adopted', async () => {
    const { body } = await product.call<ClusterDto>('GET', `/clusters/${name}`);
    expect(body).toMatchObject({ name, runtime: engine, state: 'running', origin: 'adopted', workers: 0 });
    expect(body.api_server).toMatch(/^https:\/\/127\.0\.0\.1:\d+$/);
  });

  it('gives its kubeconfig', async () => {
    const { status, body } = await product.call<string>('GET', `/clusters/${name}/kubeconfig`);
    expect(status).toBe(200);
    expect(body).toContain(`name: kind-${name}`);
  });

  it('can be deleted', async () => {
    const had = await tracesOf(engine, name);
    const { status, body } = await product.call<DeletionDto>('DELETE', `/clusters/${name}`);
    expect([status, body.deleted]).toEqual([200, true]);
    expect(await leftOf(engine, name, had)).toEqual(NOTHING);
  });
});
