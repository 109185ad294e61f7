import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { parse, stringify } from 'yaml';
import type { ClusterDto, DeletionDto } from '../../backend/src/modules/clusters/cluster.dto.js';
import type { ErrorDto } from '../../backend/src/core/api/index.js';
import { deleteWithKind, engines, leftOf, makeWithKind, NOTHING, run, tracesOf } from './support/engines.js';
import type { EngineName } from '../transcripts/transcript.js';
import { freePort } from '../support/free-port.js';
import { Product } from './support/product.js';

jest.setTimeout(240_000);

interface ConfigAnswer {
  config: string;
  source: string;
  config_changed?: boolean;
}

interface KindNode {
  role: string;
  image?: string;
  [field: string]: unknown;
}

/** Reads a cluster's config, and sends one in its place. */
class ConfigOf {
  constructor(
    private readonly product: Product,
    private readonly path: string,
  ) {}

  async read(): Promise<ConfigAnswer & { etag: string }> {
    const { status, body, headers } = await this.product.call<ConfigAnswer>('GET', this.path, undefined, {
      accept: 'application/json',
    });
    expect(status).toBe(200);
    return { ...body, etag: headers.get('etag') ?? '' };
  }

  async replace(config: string, etag: string): Promise<ConfigAnswer> {
    const { status, body } = await this.product.call<ConfigAnswer>(
      'PUT',
      this.path,
      { config },
      { accept: 'application/json', 'if-match': etag },
    );
    expect([status, body]).toMatchObject([200, {}]);
    return body;
  }
}

async function inNode(engine: EngineName, cluster: string, ...command: string[]): Promise<string> {
  return await run(engine, ['exec', `${cluster}-control-plane`, ...command]);
}

describe.each(engines)('a cluster that kind made outside the product on %s', (engine) => {
  // Dots and a long name are kind's grammar and not ours.
  const name = `adopted.${engine}`;
  const folder = mkdtempSync(join(tmpdir(), 'slipway-adopted-'));
  let product: Product;
  let config: ConfigOf;
  let madeFrom: { networking: object; featureGates: object; runtimeConfig: object; nodes: KindNode[] };

  beforeAll(async () => {
    writeFileSync(join(folder, 'marker'), 'seen');
    madeFrom = {
      networking: { podSubnet: '10.200.0.0/16', serviceSubnet: '10.201.0.0/16', dnsSearch: ['example.test'] },
      featureGates: { CPUManagerPolicyAlphaOptions: true },
      runtimeConfig: { 'api/alpha': 'false' },
      nodes: [
        {
          role: 'control-plane',
          labels: { tier: 'front', zone: 'a' },
          extraPortMappings: [
            { containerPort: 80, hostPort: await freePort(), listenAddress: '127.0.0.1' },
            { containerPort: 81, hostPort: await freePort(), protocol: 'UDP' },
            { containerPort: 6443, hostPort: await freePort() },
          ],
          extraMounts: [{ hostPath: folder, containerPath: '/data', readOnly: true }],
        },
      ],
    };
    const file = join(folder, 'cluster.yaml');
    writeFileSync(file, stringify({ kind: 'Cluster', apiVersion: 'kind.x-k8s.io/v1alpha4', ...madeFrom }));
    await deleteWithKind(engine, name);
    await makeWithKind(engine, name, join(folder, 'kubeconfig'), file);
    product = await Product.started();
    config = new ConfigOf(product, `/clusters/${name}/config`);
  });

  afterAll(async () => {
    await product.discard();
    await deleteWithKind(engine, name);
    rmSync(folder, { recursive: true, force: true });
  });

  const cluster = async (): Promise<ClusterDto> =>
    (await product.call<ClusterDto>('GET', `/clusters/${name}`)).body;

  async function succeed(change: 'stop' | 'start' | 'recreate'): Promise<void> {
    const { status, body } = await product.call<{ job_id: number }>(
      'POST',
      `/clusters/${name}/${change}`,
      {},
    );
    expect([status, body]).toMatchObject([202, {}]);
    const { state, error, warnings } = await product.ended(body.job_id);
    expect({ change, state, error }).toEqual({ change, state: 'succeeded', error: null });
    if (change !== 'recreate') expect(warnings).toEqual([]);
  }

  it('is listed as adopted', async () => {
    const body = await cluster();
    expect(body).toMatchObject({ name, runtime: engine, state: 'running', origin: 'adopted', workers: 0 });
    expect(body.api_server).toMatch(/^https:\/\/127\.0\.0\.1:\d+$/);
  });

  it('gives its kubeconfig', async () => {
    const { status, body } = await product.call<string>('GET', `/clusters/${name}/kubeconfig`);
    expect(status).toBe(200);
    expect(body).toContain(`name: kind-${name}`);
  });

  it('has a config that means what it was made from', async () => {
    const { config: text, source } = await config.read();
    expect(source).toBe('rebuilt');
    expect(text).toMatch(/^# Rebuilt by Slipway/);
    const [node] = madeFrom.nodes;
    expect(parse(text)).toEqual({
      kind: 'Cluster',
      apiVersion: 'kind.x-k8s.io/v1alpha4',
      name,
      ...madeFrom,
      networking: { ...madeFrom.networking, apiServerPort: expect.any(Number) },
      nodes: [{ ...node, image: expect.stringContaining('kindest/node:v') }],
    });
    const { apiServerPort } = (parse(text) as { networking: { apiServerPort: number } }).networking;
    const own = await inNode(engine, name, 'cat', '/kind/kubeadm.conf');
    expect(own).toContain('podSubnet: 10.200.0.0/16');
    // Its own mapping for the API is not the one that was asked for beside it.
    expect(madeFrom.nodes[0]?.['extraPortMappings']).not.toContainEqual(
      expect.objectContaining({ hostPort: apiServerPort }),
    );
  });

  it('is saved as it is rebuilt, and stays adopted', async () => {
    const { config: text, etag } = await config.read();
    expect(await config.replace(text, etag)).toMatchObject({ source: 'saved', config_changed: false });
    expect(product.readData('clusters', name, 'cluster.yaml')).toBe(text);
    expect(await cluster()).toMatchObject({ origin: 'adopted', config_changed: false });
  });

  it('stops and starts like any other', async () => {
    await succeed('stop');
    expect(await cluster()).toMatchObject({ state: 'stopped', origin: 'adopted' });
    // Also a stopped one tells what it was made with.
    const { config: text } = await config.read();
    expect(text).toContain('10.200.0.0/16');
    await succeed('start');
    expect(await cluster()).toMatchObject({ state: 'running', origin: 'adopted' });
  });

  it('is made anew from its rebuilt config, with one worker more', async () => {
    const { config: text, etag } = await config.read();
    const wanted = parse(text) as { nodes: KindNode[] };
    wanted.nodes.push({ role: 'worker', image: wanted.nodes[0]?.image ?? '' });
    expect(await config.replace(stringify(wanted), etag)).toMatchObject({ config_changed: true });
    await succeed('recreate');
    expect(await cluster()).toMatchObject({ state: 'running', workers: 1, config_changed: false });
    expect(await inNode(engine, name, 'cat', '/data/marker')).toBe('seen');
    expect(await inNode(engine, name, 'cat', '/kind/kubeadm.conf')).toContain('podSubnet: 10.200.0.0/16');
  });

  it('can be deleted', async () => {
    const had = await tracesOf(engine, name);
    const { status, body } = await product.call<DeletionDto>('DELETE', `/clusters/${name}`);
    expect([status, body.deleted]).toEqual([200, true]);
    expect(await leftOf(engine, name, had)).toEqual(NOTHING);
    expect(existsSync(join(product.dataDirectory, 'clusters', name))).toBe(false);
  });
});

/** Where both were asked for. */
if (engines.length > 1) {
  describe('one name in both engines', () => {
    const name = 'adopted-twice';
    const folder = mkdtempSync(join(tmpdir(), 'slipway-twice-'));
    let product: Product;

    beforeAll(async () => {
      for (const engine of engines) {
        await deleteWithKind(engine, name);
        await makeWithKind(engine, name, join(folder, engine));
      }
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

    it('is told apart by the engine, and 409 without it', async () => {
      const { status, body } = await product.call<ErrorDto>('GET', `/clusters/${name}`);
      expect([status, body.code, body.details]).toEqual([
        409,
        'cluster_ambiguous',
        { runtimes: [...engines] },
      ]);
      const ports = new Set<string | null>();
      for (const engine of engines) {
        const { body: one } = await product.call<ClusterDto>('GET', path(engine));
        expect(one).toMatchObject({ name, runtime: engine, state: 'running' });
        ports.add(one.api_server);
      }
      expect(ports.size).toBe(engines.length);
    });

    it('keeps the config of each, in a folder of its own', async () => {
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

    it('stops one, and leaves the other alone', async () => {
      const [first = 'docker', second = 'podman'] = engines;
      const { body } = await product.call<{ job_id: number }>('POST', path(second, '/stop'), {});
      expect(await product.ended(body.job_id)).toMatchObject({ state: 'succeeded', runtime: second });
      expect([await stateOf(first), await stateOf(second)]).toEqual(['running', 'stopped']);
    });

    it('is given to no third, and deleted one by one', async () => {
      const [first = 'docker', second = 'podman'] = engines;
      const wish = { name, workers: 0, node_image_tag: await product.nodeImageTag() };
      expect(await product.call<ErrorDto>('POST', '/clusters', wish)).toMatchObject({
        status: 409,
        body: { code: 'cluster_exists' },
      });
      const had = await tracesOf(first, name);
      expect((await product.call<DeletionDto>('DELETE', path(first))).status).toBe(200);
      expect(await leftOf(first, name, had)).toEqual(NOTHING);
      // There is one left, which needs no engine any more.
      const { body } = await product.call<ClusterDto>('GET', `/clusters/${name}`);
      expect(body).toMatchObject({ runtime: second, state: 'stopped', origin: 'adopted' });
      const { config } = await new ConfigOf(product, `/clusters/${name}/config`).read();
      expect(config).toContain(`# on ${second}\n`);
    });
  });
}
