import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { parse, stringify } from 'yaml';
import { readTar } from '../../backend/src/core/archive/read-tar.js';
import type { ClusterDto, DeletionDto } from '../../backend/src/modules/clusters/inventory/cluster.dto.js';
import {
  deleteWithKind,
  engines,
  leftOf,
  createWithKind,
  NOTHING,
  run,
  tracesOf,
} from './support/engines.js';
import type { EngineName } from '../transcripts/transcript.js';
import type { ErrorResponse } from '../support/app/api-client.js';
import { freePort } from '../support/free-port.js';
import { ConfigOf } from './support/config-of.js';
import { Product } from './support/product.js';

jest.setTimeout(240_000);

interface KindNode {
  role: string;
  image?: string;
  [field: string]: unknown;
}

const ADMIN = '/etc/kubernetes/admin.conf';

async function inNode(engine: EngineName, cluster: string, ...command: string[]): Promise<string> {
  return await run(engine, ['exec', `${cluster}-control-plane`, ...command]);
}

describe.each(engines)('a cluster created with kind outside Slipway on %s', (engine) => {
  // kind allows dots in names, unlike Slipway.
  const name = `adopted.${engine}`;
  const folder = mkdtempSync(join(tmpdir(), 'slipway-adopted-'));
  const program = `{command: /usr/bin/touch, args: ["${join(folder, 'run')}"], interactiveMode: Never`;
  const EXEC = `{exec: ${program}, apiVersion: client.authentication.k8s.io/v1}}`;
  let product: Product;
  let config: ConfigOf;
  let source: { networking: object; featureGates: object; runtimeConfig: object; nodes: KindNode[] };

  beforeAll(async () => {
    writeFileSync(join(folder, 'marker'), 'seen');
    source = {
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
    writeFileSync(file, stringify({ kind: 'Cluster', apiVersion: 'kind.x-k8s.io/v1alpha4', ...source }));
    await deleteWithKind(engine, name);
    await createWithKind(engine, name, join(folder, 'kubeconfig'), file);
    await inNode(engine, name, 'cp', ADMIN, `${ADMIN}.kept`);
    await inNode(engine, name, 'sed', '-i', `s#^    client-.*##; s#^  user:.*#  user: ${EXEC}#`, ADMIN);
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

  it('rejects users[0].user.exec in the kubeconfig of a node with cluster_unreachable', async () => {
    for (const path of ['kubeconfig', 'kubeconfig/docker', 'resources', 'addons/installed']) {
      const { status, body } = await product.call<ErrorResponse>('GET', `/clusters/${name}/${path}`);
      expect([path, status, body.code]).toEqual([path, 503, 'cluster_unreachable']);
      expect(body.message).toContain('users[0].user.exec is not allowed');
    }
    expect(existsSync(join(folder, 'run'))).toBe(false);
    await inNode(engine, name, 'mv', `${ADMIN}.kept`, ADMIN);
  });

  it('returns the kubeconfig', async () => {
    const { status, body } = await product.call<string>('GET', `/clusters/${name}/kubeconfig`);
    expect(status).toBe(200);
    expect(body).toContain(`name: kind-${name}`);
  });

  it('collects node logs without running tar of the node and without following links', async () => {
    const script = [
      'mv /usr/bin/tar /usr/bin/tar.kept',
      "printf '#!/bin/sh\\ntouch /run/tar-ran\\n' > /usr/bin/tar && chmod +x /usr/bin/tar",
      'ln -s /etc/shadow /var/log/link',
    ].join(' && ');
    await inNode(engine, name, 'sh', '-c', script);
    const archive = await product.bytes(`/clusters/${name}/node-logs`);
    const found = new Map<string, number>();
    const limits = { entries: 1000, bytes: 500_000_000, milliseconds: 20_000 };
    await readTar(Readable.from([archive]), { limits, gzipped: true }, ({ path, size }) => {
      found.set(path, size);
    });
    const node = `${name}-control-plane`;
    for (const file of ['serial.log', 'kubelet.log', 'containerd.log']) {
      expect([file, (found.get(`${node}/${file}`) ?? 0) > 20]).toEqual([file, true]);
    }
    expect([...found.keys()]).toContainEqual(
      expect.stringMatching(/\/pods\/kube-system_etcd-.*\/etcd\/0\.log$/),
    );
    expect([...found.keys()]).toContain('not-collected.txt');
    await expect(inNode(engine, name, 'test', '-e', '/run/tar-ran')).rejects.toThrow();
    await inNode(engine, name, 'sh', '-c', 'mv /usr/bin/tar.kept /usr/bin/tar && rm /var/log/link');
  });

  it('rebuilds the config from the containers', async () => {
    const { config: text, source: origin } = await config.read();
    expect(origin).toBe('rebuilt');
    expect(text).toMatch(/^# Rebuilt by Slipway/);
    const [node] = source.nodes;
    expect(parse(text)).toEqual({
      kind: 'Cluster',
      apiVersion: 'kind.x-k8s.io/v1alpha4',
      name,
      ...source,
      networking: { ...source.networking, apiServerPort: expect.any(Number) },
      nodes: [{ ...node, image: expect.stringContaining('kindest/node:v') }],
    });
    const { apiServerPort } = (parse(text) as { networking: { apiServerPort: number } }).networking;
    const own = await inNode(engine, name, 'cat', '/kind/kubeadm.conf');
    expect(own).toContain('podSubnet: 10.200.0.0/16');
    // The port mapping of the API server is not the requested mapping to 6443.
    expect(source.nodes[0]?.['extraPortMappings']).not.toContainEqual(
      expect.objectContaining({ hostPort: apiServerPort }),
    );
  });

  it('stops and starts', async () => {
    await succeed('stop');
    expect(await cluster()).toMatchObject({
      state: 'stopped',
      origin: 'adopted',
      stopped_unexpectedly: false,
    });
    // The config can be rebuilt from stopped containers, too.
    const { config: text, source: origin } = await config.read();
    expect(origin).toBe('rebuilt');
    expect(text).toContain('10.200.0.0/16');
    await succeed('start');
    expect(await cluster()).toMatchObject({ state: 'running', origin: 'adopted' });
  });

  it('stays adopted when the rebuilt config is saved', async () => {
    const { config: text, etag } = await config.read();
    expect(await config.replace(text, etag)).toMatchObject({ source: 'saved', config_changed: false });
    expect(product.readData('clusters', name, 'cluster.yaml')).toBe(text);
    expect(await cluster()).toMatchObject({ origin: 'adopted', config_changed: false });
  });

  it('recreates the cluster from the rebuilt config with one more worker', async () => {
    const { config: text, etag } = await config.read();
    const wanted = parse(text) as { nodes: KindNode[] };
    wanted.nodes.push({ role: 'worker', image: wanted.nodes[0]?.image ?? '' });
    expect(await config.replace(stringify(wanted), etag)).toMatchObject({ config_changed: true });
    await succeed('recreate');
    expect(await cluster()).toMatchObject({ state: 'running', workers: 1, config_changed: false });
    expect(await inNode(engine, name, 'cat', '/data/marker')).toBe('seen');
    expect(await inNode(engine, name, 'cat', '/kind/kubeadm.conf')).toContain('podSubnet: 10.200.0.0/16');
  });

  it('deletes containers, volumes and files', async () => {
    const had = await tracesOf(engine, name);
    const { status, body } = await product.call<DeletionDto>('DELETE', `/clusters/${name}`);
    expect([status, body.deleted]).toEqual([200, true]);
    expect(await leftOf(engine, name, had)).toEqual(NOTHING);
    expect(existsSync(join(product.dataDirectory, 'clusters', name))).toBe(false);
  });
});
