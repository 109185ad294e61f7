import { beforeEach, describe, expect, it } from '@jest/globals';
import type { KindConfig } from '../../../../../test/support/programs/planned-nodes.js';
import {
  apiPort,
  EngineWithCluster,
  IMAGE,
} from '../../../../../test/support/runtime/engine-with-cluster.js';
import { FakeRegistry } from '../../../../../test/support/runtime/fake-runtime.js';
import type { NodeContainer } from '../../../drivers/runtime/index.js';
import { adoptedMeta, type ClusterMeta } from '../inventory/cluster-meta.js';
import type { ClusterStore } from '../inventory/cluster.store.js';
import { parseKindConfig } from '../../kind-config/index.js';
import { AdoptedConfigs, type RebuiltConfig } from './adopted-configs.js';

const DIGEST = `sha256:${'a'.repeat(64)}`;
const KUBEADM = '/kind/kubeadm.conf';
const NETWORK = '/etc/cni/net.d/10-kindnet.conflist';

describe('AdoptedConfigs', () => {
  let engine: EngineWithCluster;
  let saved: ClusterMeta | undefined;
  const store = { read: () => Promise.resolve(saved) } as unknown as ClusterStore;

  beforeEach(() => {
    engine = new EngineWithCluster();
    saved = undefined;
  });

  /** By default old enough for the network of the cluster to be set up. */
  function containers(ageMs: number): NodeContainer[] {
    return engine.made.map(({ id, name, role, image }) => ({
      id,
      name,
      role,
      image,
      imageId: '',
      cluster: 'old',
      state: 'running',
      exitCode: null,
      outOfMemory: false,
      address: '172.18.0.9',
      ports: [],
      createdAt: new Date(Date.now() - ageMs).toISOString(),
      stateSince: null,
    }));
  }

  function tryToRebuild(ageMs = 3_600_000): Promise<RebuiltConfig | undefined> {
    engine.nodes = [
      ...containers(ageMs),
      ...containers(ageMs).map((node) => ({ ...node, cluster: 'other' })),
    ];
    return new AdoptedConfigs(new FakeRegistry([engine]), store).rebuild({ name: 'old', runtime: 'docker' });
  }

  /** The config parsed from its text. */
  async function rebuild(ageMs?: number): Promise<RebuiltConfig & { read: unknown; comments: string }> {
    const rebuilt = await tryToRebuild(ageMs);
    if (!rebuilt) throw new Error('nothing was rebuilt');
    const { parsed, problems } = parseKindConfig(rebuilt.text);
    expect(problems).toEqual([]);
    const comments = rebuilt.text.split('\n').filter((line) => line.includes('#'));
    return { ...rebuilt, read: parsed?.config, comments: comments.join('\n') };
  }

  const head = { kind: 'Cluster', apiVersion: 'kind.x-k8s.io/v1alpha4', name: 'old' };

  it('rebuilds nodes and the API server port of a default cluster', async () => {
    engine.make({
      nodes: [
        { role: 'control-plane', image: IMAGE },
        { role: 'worker', image: IMAGE },
      ],
    });
    const { read, comments } = await rebuild();
    expect(read).toEqual({
      ...head,
      networking: { apiServerPort: 40_123 },
      nodes: [
        { role: 'control-plane', image: IMAGE },
        { role: 'worker', image: IMAGE },
      ],
    });
    expect(comments).toContain('Rebuilt by Slipway');
    expect(comments).toContain('containerdConfigPatches');
    expect(comments).not.toContain('could not be read');
  });

  it('rebuilds all settings that containers and files contain', async () => {
    const config: KindConfig = {
      networking: {
        podSubnet: '10.200.0.0/16',
        serviceSubnet: '10.201.0.0/16',
        kubeProxyMode: 'nftables',
        disableDefaultCNI: true,
      },
      featureGates: { CPUManagerPolicyAlphaOptions: true, Other: false },
      runtimeConfig: { 'api/alpha': 'false', 'batch/v1': 'true' },
      nodes: [
        {
          role: 'control-plane',
          image: IMAGE,
          labels: { tier: 'front', zone: 'a' },
          extraPortMappings: [
            { containerPort: 80, hostPort: 8080, listenAddress: '127.0.0.1' },
            { containerPort: 81, hostPort: 8081, protocol: 'UDP' },
            { containerPort: 6443, hostPort: 8443 },
          ],
          extraMounts: [{ hostPath: '/srv/data', containerPath: '/data', readOnly: true }],
        },
        { role: 'worker', image: IMAGE, labels: { tier: 'back' } },
        { role: 'worker', image: IMAGE, extraMounts: [{ hostPath: '/srv/more', containerPath: '/more' }] },
      ],
    };
    engine.make(config);
    const { read, comments } = await rebuild();
    expect(read).toEqual({
      ...head,
      ...config,
      networking: { apiServerPort: 40_123, ...config.networking },
    });
    expect(comments).toContain('disableDefaultCNI: true # The default network of kind was not found');
  });

  it('rebuilds the same text each time', async () => {
    engine.make({
      nodes: [
        { image: IMAGE, labels: { b: '1', a: '2' } },
        { role: 'worker', image: IMAGE },
      ],
    });
    const { text } = await rebuild();
    engine.made.reverse();
    for (const files of Object.values(engine.files)) {
      files[KUBEADM] = files[KUBEADM]?.replaceAll('b=1,a=2', 'a=2,b=1') ?? '';
    }
    expect((await rebuild()).text).toBe(text);
  });

  it('keeps workers in the order in which kind numbers them', async () => {
    engine.make({
      nodes: [
        { image: IMAGE },
        ...Array.from({ length: 10 }, (_, index) => ({
          role: 'worker',
          image: IMAGE,
          labels: { number: String(index + 1) },
        })),
      ],
    });
    const { config } = await rebuild();
    expect(config.nodes?.slice(1).map(({ labels }) => labels?.['number'])).toEqual(
      Array.from({ length: 10 }, (_, index) => String(index + 1)),
    );
  });

  it('restores the tag that Podman removes from an image with a digest', async () => {
    engine.make({ nodes: [{ image: IMAGE }] });
    const image = `docker.io/kindest/node@${DIGEST}`;
    engine.made = engine.made.map((node) => ({ ...node, image }));
    const { config, meta } = await rebuild();
    expect(config.nodes?.[0]?.image).toBe(`docker.io/kindest/node:v1.34.4@${DIGEST}`);
    expect(meta.node_image_tag).toBe(`v1.34.4@${DIGEST}`);
  });

  it.each([
    [`localhost:5000/kindest/node:v1.34.4@${DIGEST}`, `v1.34.4@${DIGEST}`],
    ['localhost:5000/own:edge', null],
  ])('keeps the image %s', async (image, tag) => {
    engine.make({ nodes: [{ image: IMAGE }] });
    engine.made = engine.made.map((node) => ({ ...node, image }));
    const { config, meta } = await rebuild();
    expect(config.nodes?.[0]?.image).toBe(image);
    expect(meta.node_image_tag).toBe(tag);
  });

  it('takes the API server address from the load balancer if the cluster has one', async () => {
    engine.make({ nodes: [{ image: IMAGE }] });
    const files = engine.files['old-control-plane'] ?? {};
    engine.add('old-control-plane2', 'control-plane', { ports: [apiPort('127.0.0.1', 40_125)], files });
    engine.add('old-external-load-balancer', 'external-load-balancer', {
      image: 'docker.io/envoyproxy/envoy:v1.36.2',
      ports: [apiPort('192.168.1.5', 7443)],
    });
    const { read } = await rebuild();
    expect(read).toEqual({
      ...head,
      networking: { apiServerAddress: '192.168.1.5', apiServerPort: 7443 },
      nodes: [
        { role: 'control-plane', image: IMAGE },
        { role: 'control-plane', image: IMAGE },
      ],
    });
  });

  it('distinguishes the API server port from other mappings to port 6443 in any order', async () => {
    engine.make({ nodes: [{ image: IMAGE }] });
    const wanted = [{ containerPort: 6443, hostPort: 8443 }];
    for (const order of [0, 1]) {
      const ports = [apiPort('127.0.0.1', 40_123), apiPort('0.0.0.0', 8443)];
      engine.made = engine.made.map((node) => ({ ...node, ports: order === 0 ? ports : ports.reverse() }));
      const { read } = await rebuild();
      expect(read).toMatchObject({
        networking: { apiServerPort: 40_123 },
        nodes: [{ extraPortMappings: wanted }],
      });
      expect(read).not.toHaveProperty('networking.apiServerAddress');
    }
  });

  it('finds an API server address other than loopback', async () => {
    engine.make({ nodes: [{ image: IMAGE }] });
    const files = engine.files['old-control-plane'] ?? {};
    files[KUBEADM] = (files[KUBEADM] ?? '').replace('- 127.0.0.1', '- 0.0.0.0');
    engine.made = engine.made.map((node) => ({
      ...node,
      ports: [apiPort('0.0.0.0', 7443), apiPort('127.0.0.1', 8443)],
    }));
    expect((await rebuild()).config).toMatchObject({
      networking: { apiServerAddress: '0.0.0.0', apiServerPort: 7443 },
      nodes: [{ extraPortMappings: [{ containerPort: 6443, hostPort: 8443, listenAddress: '127.0.0.1' }] }],
    });
  });

  it.each([
    ['fd00:10:244::/56', 'fd00:10:96::/112', { ipFamily: 'ipv6' }],
    ['10.244.0.0/16,fd00:10:244::/56', '10.96.0.0/16,fd00:10:96::/112', { ipFamily: 'dual' }],
    ['10.244.0.0/16', '10.97.0.0/16', { ipFamily: undefined, serviceSubnet: '10.97.0.0/16' }],
  ])('finds the IP family of %s and %s', async (podSubnet, serviceSubnet, expected) => {
    engine.make({ networking: { podSubnet, serviceSubnet }, nodes: [{ image: IMAGE }] });
    const ipv6 = expected.ipFamily === 'ipv6';
    engine.made = engine.made.map((node) => ({
      ...node,
      ports: [
        apiPort(ipv6 ? '::1' : '127.0.0.1', 40_123),
        { hostAddress: ipv6 ? '::' : '0.0.0.0', hostPort: 0, containerPort: 80, protocol: 'TCP' },
      ],
    }));
    const { config } = await rebuild();
    expect(config.networking).toEqual({ ...expected, apiServerPort: 40_123 });
    // -1 lets the engine choose the port.
    expect(config.nodes?.[0]?.extraPortMappings).toEqual([{ containerPort: 80, hostPort: -1 }]);
  });

  it('omits settings that kind adds to every node', async () => {
    engine.make({ featureGates: { KubeletInUserNamespace: true }, nodes: [{ image: IMAGE }] });
    engine.add('old-worker', 'worker', {
      mounts: [
        {
          hostPath: '/dev/mapper',
          containerPath: '/dev/mapper',
          readOnly: false,
          propagation: 'private',
          relabelled: false,
        },
      ],
      files: engine.files['old-control-plane'] ?? {},
    });
    const rootful = await rebuild();
    expect(rootful.config.featureGates).toEqual({ KubeletInUserNamespace: true });
    expect(rootful.config.nodes?.[1]?.extraMounts).toBeUndefined();
    const info = engine.info();
    engine.info = () => ({ ...info, capabilities: { ...info.capabilities, rootless: true } });
    expect((await rebuild()).config.featureGates).toBeUndefined();
  });

  it('rebuilds propagation and relabeling of mounts, and DNS search domains', async () => {
    engine.add('old-control-plane', 'control-plane', {
      ports: [apiPort('127.0.0.1', 40_123)],
      environment: { KIND_DNS_SEARCH: 'a.test b.test' },
      mounts: [
        { hostPath: '/a', containerPath: '/a', readOnly: false, propagation: 'rslave', relabelled: false },
        { hostPath: '/b', containerPath: '/b', readOnly: false, propagation: 'rshared', relabelled: true },
      ],
    });
    const { read } = await rebuild(1000);
    expect(read).toMatchObject({
      networking: { dnsSearch: ['a.test', 'b.test'] },
      nodes: [
        {
          extraMounts: [
            { hostPath: '/a', containerPath: '/a', propagation: 'HostToContainer' },
            { hostPath: '/b', containerPath: '/b', propagation: 'Bidirectional', selinuxRelabel: true },
          ],
        },
      ],
    });
  });

  it('takes labels from the kubeadm document that configured the node', async () => {
    engine.make({ nodes: [{ image: IMAGE }, { role: 'worker', image: IMAGE, labels: { tier: 'back' } }] });
    // A patch of InitConfiguration is in the file of each node, but applies only to the first control plane.
    for (const files of Object.values(engine.files)) {
      files[KUBEADM] = (files[KUBEADM] ?? '').replace(/node-labels: .*/, 'node-labels: ingress-ready=true');
    }
    const { config } = await rebuild();
    expect(config.nodes?.map(({ labels }) => labels)).toEqual([
      { 'ingress-ready': 'true' },
      { tier: 'back' },
    ]);
  });

  it('reads argument lists of kubeadm v1beta4', async () => {
    engine.make({ nodes: [{ image: IMAGE }] });
    engine.files['old-control-plane'] = {
      [NETWORK]: '{}',
      [KUBEADM]: `apiVersion: kubeadm.k8s.io/v1beta4
kind: ClusterConfiguration
apiServer:
  extraArgs:
  - { name: runtime-config, value: api/alpha=true }
networking: { podSubnet: 10.1.0.0/16, serviceSubnet: 10.96.0.0/16 }
---
apiVersion: kubeadm.k8s.io/v1beta4
kind: InitConfiguration
nodeRegistration:
  kubeletExtraArgs:
  - { name: node-ip, value: 172.18.0.2 }
  - { name: node-labels, value: "a=b=c,d=" }
skipPhases: [preflight, addon/kube-proxy]
`,
    };
    const { read } = await rebuild();
    expect(read).toEqual({
      ...head,
      networking: { apiServerPort: 40_123, podSubnet: '10.1.0.0/16', kubeProxyMode: 'none' },
      runtimeConfig: { 'api/alpha': 'true' },
      nodes: [{ role: 'control-plane', image: IMAGE, labels: { a: 'b=c', d: '' } }],
    });
  });

  it.each([
    ['is missing', undefined],
    ['is not YAML', 'a: [\n'],
    ['is of another kind', 'kind: Pod\n'],
    ['contains a recursive alias', `kind: ClusterConfiguration\na: &a [*a]\n---\nkind: InitConfiguration\n`],
    ['has too many documents', 'a: 1\n---\n'.repeat(100)],
    ['nests too deeply', `kind: ClusterConfiguration\na: ${'['.repeat(20_000)}`],
  ])('notes in the config that kubeadm.conf could not be read if it %s', async (_, text) => {
    engine.make({ nodes: [{ image: IMAGE, labels: { a: 'b' } }] });
    if (text === undefined) delete engine.files['old-control-plane']?.[KUBEADM];
    else engine.files['old-control-plane'] = { ...engine.files['old-control-plane'], [KUBEADM]: text };
    const { read, comments } = await rebuild();
    expect(read).toEqual({
      ...head,
      networking: { apiServerPort: 40_123 },
      nodes: [{ role: 'control-plane', image: IMAGE }],
    });
    expect(comments).toContain('/kind/kubeadm.conf could not be read');
  });

  it('does not set disableDefaultCNI for a cluster that was created a moment ago', async () => {
    engine.make({ networking: { disableDefaultCNI: true }, nodes: [{ image: IMAGE }] });
    expect((await rebuild(60_000)).config.networking?.disableDefaultCNI).toBeUndefined();
    expect((await rebuild(600_000)).config.networking?.disableDefaultCNI).toBe(true);
  });

  it('returns metadata derived from the containers', async () => {
    engine.make({
      nodes: [{ image: IMAGE }, { role: 'worker', image: IMAGE }, { role: 'worker', image: IMAGE }],
    });
    const { meta } = await rebuild();
    expect(meta).toEqual({
      ...adoptedMeta({ name: 'old', runtime: 'docker' }, containers(3_600_000)),
      created_at: meta.created_at,
    });
    expect(meta).toMatchObject({ origin: 'adopted', workers: 2, control_planes: 1, config_changed: false });
  });

  it('keeps saved metadata', async () => {
    engine.make({ nodes: [{ image: IMAGE }] });
    saved = {
      ...adoptedMeta({ name: 'old', runtime: 'docker' }, []),
      wanted: 'stopped',
      node_addresses: { a: '1' },
    };
    const { meta } = await rebuild();
    expect(meta).toEqual({ ...saved, node_image_tag: 'v1.34.4' });
  });

  it('returns undefined without a control plane', async () => {
    expect(await tryToRebuild()).toBeUndefined();
    engine.add('old-worker', 'worker', {});
    expect(await tryToRebuild()).toBeUndefined();
  });
});
