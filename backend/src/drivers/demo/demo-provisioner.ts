import { readFile, stat } from 'node:fs/promises';
import { readProject } from '../../core/config/index.js';
import { DomainError } from '../../core/errors/index.js';
import { writeFileAtomically } from '../../core/storage/index.js';
import { stringify } from '../../core/yaml/index.js';
import { ClusterKubeconfig } from '../kubernetes/index.js';
import {
  ClusterProvisioner,
  kindSteps,
  readImageArchive,
  type ClusterShape,
  type CreateRequest,
  type LoadRequest,
  type ProvisionerStatus,
  type ProvisionStep,
} from '../provisioner/index.js';
import { fullReference, type NodeRole } from '../runtime/index.js';
import type { DemoNode } from './demo-node.js';
import { demoFiles, type DemoSettings } from './demo-files.js';
import { DEMO_TAGS, type DemoWorld } from './demo-world.js';
import { yaml } from './demo-yaml-process.js';

interface DemoConfig extends DemoSettings {
  nodes?: {
    role?: string;
    image?: string;
    labels?: Record<string, string>;
    extraMounts?: { hostPath?: string; containerPath?: string; readOnly?: boolean }[];
    extraPortMappings?: {
      containerPort?: number;
      hostPort?: number;
      listenAddress?: string;
      protocol?: string;
    }[];
  }[];
}

/** Seconds of demo time for loading an image archive into a node. */
const LOAD_SECONDS = 3;

/** Creates demo clusters in the steps of kind and in about the same time. */
export class DemoProvisioner extends ClusterProvisioner {
  override readonly kind = 'demo';

  constructor(private readonly world: DemoWorld) {
    super();
  }

  override status(): Promise<ProvisionerStatus> {
    return Promise.resolve({
      name: 'demo provisioner',
      version: readProject().version,
      problem: null,
      defaultTag: DEMO_TAGS[0],
      fittingTags: [...DEMO_TAGS],
      kubernetesRange: { oldest: 33, newest: 37 },
      loadBalancerImage: null,
    });
  }

  override steps(shape: ClusterShape): ProvisionStep[] {
    return kindSteps(shape);
  }

  override async create(request: CreateRequest): Promise<void> {
    const { name, shape, tracking, onStep } = request;
    const print = (text: string): void => tracking.onLine?.({ stream: 'stderr', text });
    print(`Creating cluster "${name}" ...`);
    for (const step of kindSteps(shape)) {
      onStep(step.name);
      await this.world.pass(step.weight / 2, tracking.signal);
      this.world.failIfConfigured('create', step.name);
      if (step.name === 'preparing-nodes') await this.createNodes(request);
      await this.world.pass(step.weight / 2, tracking.signal);
    }
    await writeFileAtomically(request.kubeconfigFile, this.render(name));
    print(`Set kubectl context to "kind-${name}"`);
  }

  override async kubeconfig(name: string): Promise<ClusterKubeconfig> {
    if (this.world.nodesOf(name).length === 0) {
      throw new DomainError('kubeconfig_not_found', `Cluster ${name} does not exist in the demo.`);
    }
    return ClusterKubeconfig.parse(this.render(name));
  }

  override async loadArchive({ node, archiveFile, tracking }: LoadRequest): Promise<void> {
    const images = await readImageArchive(archiveFile);
    await this.world.pass(LOAD_SECONDS, tracking.signal);
    this.world.failIfConfigured('load', node);
    const { size } = await stat(archiveFile);
    const loaded = images.flatMap(({ id, references }) =>
      references.map((reference) => ({ reference: fullReference(reference), id: id ?? '', sizeBytes: size })),
    );
    await this.world.loadImages(node, loaded);
  }

  private async createNodes({ name, configFile, shape }: CreateRequest): Promise<void> {
    const config = (await yaml.yamlValue(await readFile(configFile, 'utf8'))) as DemoConfig;
    const numbers = new Map<string, number>();
    for (const node of config.nodes ?? [{}]) {
      const { image = '', extraPortMappings = [], labels = {} } = node;
      const role = (node.role ?? 'control-plane') as NodeRole;
      const number = (numbers.get(role) ?? 0) + 1;
      numbers.set(role, number);
      const ports = extraPortMappings.map(
        ({ containerPort = 0, hostPort = 0, listenAddress = '0.0.0.0', protocol = 'TCP' }) => ({
          hostAddress: listenAddress,
          hostPort,
          containerPort,
          protocol,
        }),
      );
      if (role === 'control-plane' && number === 1 && shape.controlPlanes === 1) ports.unshift(apiPort(name));
      await this.world.addNode({
        name: `${name}-${role}${number > 1 ? number : ''}`,
        cluster: name,
        role,
        image,
        ports,
        mounts: (node.extraMounts ?? []).map(({ hostPath = '', containerPath = '', readOnly = false }) => ({
          hostPath,
          containerPath,
          readOnly,
          propagation: 'private',
          relabelled: false,
        })),
        files: demoFiles({ cluster: name, role, image, labels }, config),
      });
    }
    if (shape.controlPlanes > 1) {
      await this.world.addNode({
        name: `${name}-external-load-balancer`,
        cluster: name,
        role: 'external-load-balancer',
        image: 'docker.io/envoyproxy/envoy:v1.36.2',
        ports: [apiPort(name)],
      });
    }
  }

  private render(name: string): string {
    const id = `kind-${name}`;
    const ids = this.world.nodesOf(name).map((node) => node.id.slice(-6));
    // Like that of kind, the certificate differs from that of an earlier cluster with the same name.
    const certificate = Buffer.from(`certificate of the demo cluster ${name}, nodes ${ids.join(' ')}\n`);
    const cluster = {
      'certificate-authority-data': certificate.toString('base64'),
      server: `https://127.0.0.1:${apiPort(name).hostPort}`,
    };
    return `# A kubeconfig of the demo. No server listens at this address.\n${stringify({
      apiVersion: 'v1',
      kind: 'Config',
      'current-context': id,
      clusters: [{ name: id, cluster }],
      contexts: [{ name: id, context: { cluster: id, user: id } }],
      users: [{ name: id, user: {} }],
    })}`;
  }
}

/** The port of the API server, derived from the name of the cluster. */
function apiPort(name: string): DemoNode['ports'][number] {
  let hash = 0;
  for (const character of name) hash = (hash * 33 + character.charCodeAt(0)) % 20_000;
  return { hostAddress: '127.0.0.1', hostPort: 35_000 + hash, containerPort: 6443, protocol: 'TCP' };
}
