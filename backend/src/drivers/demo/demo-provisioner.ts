import { readFile, stat } from 'node:fs/promises';
import { readProject } from '../../core/config/index.js';
import { DomainError } from '../../core/errors/index.js';
import { writeFileAtomically } from '../../core/storage/index.js';
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
import { demoFiles, type DemoNetworking } from './demo-files.js';
import { DEMO_TAGS, type DemoWorld } from './demo-world.js';
import { yaml } from './demo-yaml.js';

interface DemoConfig {
  networking?: DemoNetworking;
  featureGates?: Record<string, boolean>;
  runtimeConfig?: Record<string, string>;
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

/** Seconds of demo time that a node takes for an archive. */
const LOAD_SECONDS = 3;

/** Makes clusters of the demo world: the same steps, in the time that real ones take. */
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
    const say = (text: string): void => tracking.onLine?.({ stream: 'stderr', text });
    say(`Creating cluster "${name}" ...`);
    for (const step of kindSteps(shape)) {
      say(` • ${step.title} ...`);
      onStep(step.name);
      await this.world.pass(step.weight / 2, tracking.signal);
      this.world.failIfAsked('create', step.name);
      if (step.name === 'preparing-nodes') await this.makeNodes(request);
      await this.world.pass(step.weight / 2, tracking.signal);
      say(` ✓ ${step.title}`);
    }
    await writeFileAtomically(request.kubeconfigFile, this.render(name));
    say(`Set kubectl context to "kind-${name}"`);
  }

  override async kubeconfig(name: string): Promise<ClusterKubeconfig> {
    if (this.world.nodesOf(name).length === 0) {
      throw new DomainError('kubeconfig_not_found', `The demo has no cluster called ${name}.`);
    }
    return ClusterKubeconfig.parse(this.render(name));
  }

  override async loadArchive({ node, archiveFile, tracking }: LoadRequest): Promise<void> {
    const images = await readImageArchive(archiveFile);
    await this.world.pass(LOAD_SECONDS, tracking.signal);
    this.world.failIfAsked('load', node);
    const { size } = await stat(archiveFile);
    await this.world.loadImages(
      node,
      images.flatMap(({ id, references }) =>
        references.map((reference) => ({
          reference: fullReference(reference),
          id: id ?? '',
          sizeBytes: size,
        })),
      ),
    );
  }

  private async makeNodes({ name, configFile, shape }: CreateRequest): Promise<void> {
    const config = (await yaml.yamlValue(await readFile(configFile, 'utf8'))) as DemoConfig;
    const numbers = new Map<string, number>();
    const { networking = {}, featureGates = {}, runtimeConfig = {} } = config;
    const common = { cluster: name, networking, featureGates, runtimeConfig };
    for (const node of config.nodes ?? [{}]) {
      const { role = 'control-plane', image = '', extraPortMappings = [] } = node;
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
        role: role as NodeRole,
        image,
        ports,
        mounts: (node.extraMounts ?? []).map(({ hostPath = '', containerPath = '', readOnly = false }) => ({
          hostPath,
          containerPath,
          readOnly,
          propagation: 'private',
          relabelled: false,
        })),
        files: demoFiles({ ...common, role: role as NodeRole, image, labels: node.labels ?? {} }),
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

  /** One for each creation, as with kind: it is what tells a cluster from an earlier one of its name. */
  private authorityOf(name: string): string {
    const ids = this.world.nodesOf(name).map(({ id }) => id.slice(-6));
    return Buffer.from(`certificate of the demo cluster ${name}, nodes ${ids.join(' ')}\n`).toString(
      'base64',
    );
  }

  private render(name: string): string {
    const { hostPort } = apiPort(name);
    return [
      '# A kubeconfig of the demo: nothing answers at this address.',
      'apiVersion: v1',
      'kind: Config',
      `current-context: kind-${name}`,
      'clusters:',
      `- name: kind-${name}`,
      '  cluster:',
      `    certificate-authority-data: ${this.authorityOf(name)}`,
      `    server: https://127.0.0.1:${hostPort}`,
      'contexts:',
      `- name: kind-${name}`,
      '  context:',
      `    cluster: kind-${name}`,
      `    user: kind-${name}`,
      'users:',
      `- name: kind-${name}`,
      '  user: {}',
      '',
    ].join('\n');
  }
}

/** A port for the API that is the same each time it is asked for. */
function apiPort(name: string): {
  hostAddress: string;
  hostPort: number;
  containerPort: number;
  protocol: string;
} {
  let hash = 0;
  for (const character of name) hash = (hash * 33 + character.charCodeAt(0)) % 20_000;
  return { hostAddress: '127.0.0.1', hostPort: 35_000 + hash, containerPort: 6443, protocol: 'TCP' };
}
