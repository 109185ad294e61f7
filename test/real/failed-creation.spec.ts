import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { ClusterDto, DeletionDto } from '../../backend/src/modules/clusters/inventory/cluster.dto.js';
import { deleteWithKind, engines, leftOf, NOTHING, tracesOf } from './support/engines.js';
import { journalEnd, processesOf, stepIs } from './support/jobs.js';
import { hasEnded, Product } from './support/product.js';

jest.setTimeout(300_000);

/** kubeadm rejects this after the creation of the node container. */
const REJECTED_BY_KUBEADM = `kind: Cluster
apiVersion: kind.x-k8s.io/v1alpha4
nodes:
  - role: control-plane
    kubeadmConfigPatches:
      - |
        kind: ClusterConfiguration
        networking:
          podSubnet: not-a-subnet
`;

/** Case K16: the style of containerd 1.x, which is refused beside `config_path`. */
const OLD_MIRRORS = `kind: Cluster
apiVersion: kind.x-k8s.io/v1alpha4
containerdConfigPatches:
  - |-
    [plugins."io.containerd.grpc.v1.cri".registry.mirrors."docker.io"]
      endpoint = ["http://mirror.test:5000"]
`;

describe.each(engines)('a creation that fails or is cancelled on %s', (engine) => {
  const name = `unhappy-${engine}`;
  let product: Product;
  let tag: string;

  beforeAll(async () => {
    await deleteWithKind(engine, name);
    product = await Product.started();
    tag = await product.nodeImageTag();
  });

  afterAll(async () => {
    await product.discard();
    await deleteWithKind(engine, name);
  });

  it('removes everything after a cancel', async () => {
    const id = await product.create({ name, workers: 1, node_image_tag: tag, runtime: engine });
    await product.follow(id, stepIs('starting-control-plane'));
    const had = await tracesOf(engine, name);
    expect(had.containers).toHaveLength(2);
    expect((await product.call('POST', `/jobs/${id}/cancel`)).status).toBe(202);
    const job = await product.ended(id);
    expect(job).toMatchObject({ state: 'cancelled' });
    expect(await leftOf(engine, name, had)).toEqual(NOTHING);
    expect(await processesOf(name)).toEqual([]);
    expect((await product.call('GET', `/clusters/${name}`)).status).toBe(404);
    const entry = await journalEnd(product, id);
    expect(entry?.outcome).toBe('cancelled');
    expect(entry?.message).toMatch(/Removed 2 containers and 2 volumes\. The config is kept\./);
  });

  it('rolls back, and keeps config and log', async () => {
    const id = await product.create(failing({ keep_on_failure: false }));
    const job = await product.ended(id);
    expect(job.state).toBe('failed');
    expect(job.error?.message).toContain('not-a-subnet');
    expect(job.error?.command).toMatch(/^.*kind create cluster /);
    expect(await tracesOf(engine, name)).toEqual(NOTHING);
    expect(await processesOf(name)).toEqual([]);
    const { body } = await product.call<ClusterDto>('GET', `/clusters/${name}`);
    expect(body).toMatchObject({ state: 'failed', nodes: [] });
    expect(product.readData('clusters', name, 'cluster.yaml')).toContain('not-a-subnet');
    expect(JSON.parse(product.readData('clusters', name, 'provision_log.json'))).toMatchObject({
      outcome: 'failed',
    });
    expect((await journalEnd(product, id))?.message).toMatch(/Removed 1 container and 1 volume\./);
    expect((await product.call('DELETE', `/clusters/${name}`)).status).toBe(200);
  });

  it('keeps the nodes and their logs with keep_on_failure', async () => {
    const id = await product.create(failing({ keep_on_failure: true }));
    expect((await product.ended(id)).state).toBe('failed');
    const had = await tracesOf(engine, name);
    expect(had.containers).toEqual([`${name}-control-plane`]);
    expect((await journalEnd(product, id))?.message).toMatch(/The nodes were kept\. The config is kept\./);
    const archive = gunzipSync(await product.bytes(`/clusters/${name}/node-logs`)).toString('latin1');
    expect(archive).toContain(`${name}-control-plane/`);
    expect(archive).toContain('serial.log');
    const { body } = await product.call<DeletionDto>('DELETE', `/clusters/${name}`);
    expect(body.removed.containers).toEqual([`${name}-control-plane`]);
    expect(await leftOf(engine, name, had)).toEqual(NOTHING);
  });

  it('names the reason of containerd for registry mirrors in the old style', async () => {
    const request = { name, config: OLD_MIRRORS, node_image_tag: tag, runtime: engine };
    const id = await product.create({ ...request, accept_host_access: true });
    // kubeadm waits 4 minutes for the kubelet.
    const job = (await product.follow(id, hasEnded, 330_000)).at(-1);
    expect(job?.state).toBe('failed');
    expect(job?.error?.message).toContain('`mirrors` cannot be set when `config_path` is provided');
    expect(await tracesOf(engine, name)).toEqual(NOTHING);
    expect((await product.call('DELETE', `/clusters/${name}`)).status).toBe(200);
  }, 360_000);

  function failing(more: Record<string, unknown>): Record<string, unknown> {
    return {
      name,
      config: REJECTED_BY_KUBEADM,
      node_image_tag: tag,
      runtime: engine,
      accept_host_access: true,
      ...more,
    };
  }
});
