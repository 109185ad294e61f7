import { DomainError } from '../../../core/errors/index.js';
import type { HostView } from '../host/host-view.js';
import { CLUSTER_LABEL, ROLE_LABEL, type PublishedPort } from '../runtime-driver.js';
import type { EngineConnection } from './engine-connection.js';
import { engineMessage, unlessGone } from './engine-error.js';
import type { ContainerSummary, InspectedContainer } from './engine-responses.js';
import { listContainers } from './list-containers.js';
import { nameOf } from './node-container.js';
import { boundPortsOf } from './node-settings.js';

/** Engines mount these files from the folder of the container, whose name is the id. */
const MOUNTED_FILE = /^\d+ \d+ \S+ (\S+) \/etc\/(?:hostname|hosts|resolv\.conf) /gm;
const FULL_ID = /\/([0-9a-f]{64})\//;
/** The default host name of a container is the start of its id. */
const SHORT_ID = /^[0-9a-f]{12}$/;

/**
 * Ids that the container of this process may have. Only an engine can tell whether it has such a container.
 * @param configured `APP_CONTAINER`, the only candidate if it is set.
 */
export async function possibleContainers(
  { platform, readText }: Pick<HostView, 'platform' | 'readText'>,
  configured: string,
): Promise<string[]> {
  if (configured !== '') return [configured];
  if (platform !== 'linux') return [];
  const [mounts = '', hostname = ''] = await Promise.all([
    readText('/proc/self/mountinfo'),
    readText('/etc/hostname'),
  ]);
  const mounted = [...mounts.matchAll(MOUNTED_FILE)].flatMap(
    ([, root = '']) => FULL_ID.exec(root)?.[1] ?? [],
  );
  const short = hostname.trim();
  return [...new Set([...mounted, ...(SHORT_ID.test(short) ? [short] : [])])];
}

/**
 * The container of an engine in which Slipway itself runs. Ports that the engine publishes on loopback are not reachable
 * from it, so it must be connected to the network of the nodes.
 */
export class OwnContainer {
  /** Addresses of the host in the networks of the container: connections to published ports come from them. */
  gateways: readonly string[] = [];

  private constructor(
    private readonly connection: EngineConnection,
    readonly id: string,
    readonly ports: readonly PublishedPort[],
  ) {}

  /** @returns undefined if the engine has none of these containers, or if it uses the network of the host. */
  static async find(connection: EngineConnection, ids: readonly string[]): Promise<OwnContainer | undefined> {
    for (const id of ids) {
      const found = await unlessGone(inspect(connection, id));
      if (found?.HostConfig?.NetworkMode === 'host') return undefined;
      if (!found) continue;
      const own = new OwnContainer(connection, found.Id ?? id, boundPortsOf(found.HostConfig));
      own.gateways = gatewaysOf(found);
      return own;
    }
    return undefined;
  }

  /**
   * Connects the container to the network of a cluster, unless it is already.
   * @returns the name of the node that serves the API, which resolves there and is in its certificate.
   * @throws DomainError `cluster_unreachable`
   */
  async reach(cluster: string): Promise<string> {
    const nodes = await listContainers(this.connection, `${CLUSTER_LABEL}=${cluster}`);
    const withRole = (role: string): ContainerSummary | undefined =>
      nodes.find(({ Labels }) => Labels?.[ROLE_LABEL] === role);
    const entry = withRole('external-load-balancer') ?? withRole('control-plane');
    const [network] = networksOf(entry);
    if (!entry || network === undefined) {
      throw new DomainError('cluster_unreachable', `${cluster} has no control plane in a network.`);
    }
    await this.join(network);
    return nameOf(entry);
  }

  /**
   * Connects the container to the networks of all nodes. Called at the start, since before Docker 28 a new network
   * interrupts connections to published ports.
   * @throws DomainError `cluster_unreachable`
   */
  async joinNodes(): Promise<void> {
    const nodes = await listContainers(this.connection, CLUSTER_LABEL);
    for (const network of new Set(nodes.flatMap(networksOf))) await this.join(network);
  }

  private async join(network: string): Promise<void> {
    if (await this.isIn(network)) return;
    try {
      await this.connection.read((client, abortSignal) =>
        client.getNetwork(network).connect({
          Container: this.id,
          // From Docker 28 on, published ports and the default route then stay in the present network.
          EndpointConfig: { GwPriority: -1 },
          abortSignal,
        }),
      );
      await this.isIn(network);
    } catch (cause) {
      // A concurrent call may have connected it.
      if (cause instanceof DomainError) throw cause;
      if (await this.isIn(network)) return;
      throw new DomainError(
        'cluster_unreachable',
        `${this.connection.engine} could not connect the container of Slipway to the network ${network}: ${engineMessage(cause)}.`,
        undefined,
        { cause },
      );
    }
  }

  private async isIn(network: string): Promise<boolean> {
    const found = await inspect(this.connection, this.id);
    this.gateways = gatewaysOf(found);
    return Object.hasOwn(found.NetworkSettings?.Networks ?? {}, network);
  }
}

function networksOf(container: ContainerSummary | undefined): string[] {
  return Object.keys(container?.NetworkSettings?.Networks ?? {});
}

function gatewaysOf({ NetworkSettings }: InspectedContainer): string[] {
  return Object.values(NetworkSettings?.Networks ?? {}).flatMap(({ Gateway }) => Gateway || []);
}

function inspect(connection: EngineConnection, id: string): Promise<InspectedContainer> {
  return connection.read((client, abortSignal) => client.getContainer(id).inspect({ abortSignal }));
}
