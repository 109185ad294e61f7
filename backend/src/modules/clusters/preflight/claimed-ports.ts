import { Injectable } from '@nestjs/common';
import { RuntimeRegistry, type NodeContainer, type PublishedPort } from '../../../drivers/runtime/index.js';
import { type ClusterKey, ClusterStore } from '../inventory/cluster.store.js';
import { NodeInventory } from '../inventory/node-inventory.js';
import {
  type HostPort,
  type KindConfig,
  kindConfigYaml,
  portsClash,
  wantedPorts,
} from '../../kind-config/index.js';

/** A host port that a cluster uses, or needs when it is started or recreated. */
export interface ClaimedPort extends HostPort {
  owner: ClusterKey;
  held: boolean;
}

@Injectable()
export class ClaimedPorts {
  constructor(
    private readonly inventory: NodeInventory,
    private readonly runtimes: RuntimeRegistry,
    private readonly store: ClusterStore,
  ) {}

  async all(): Promise<ClaimedPort[]> {
    const [engines, saved] = await Promise.all([this.inventory.read(), this.saved()]);
    const claimed = await Promise.all(
      engines.map(async ({ runtime, nodes }) => [
        ...nodes
          .filter((node) => !hasEnded(node))
          .flatMap(({ cluster, ports }) => claims(ports, { name: cluster, runtime }, true)),
        ...(await this.ofStopped(runtime, nodes)),
      ]),
    );
    return [...claimed.flat(), ...saved];
  }

  async warnings(config: KindConfig, { name, runtime }: ClusterKey): Promise<string[]> {
    const wanted = wantedPorts(config);
    if (wanted.length === 0) return [];
    const others = (await this.all()).filter(({ owner }) => owner.name !== name || owner.runtime !== runtime);
    return wanted.flatMap((port) => {
      const rivals = others.filter((other) => portsClash(port, other));
      // A port that a running cluster uses is a problem and not a warning.
      if (rivals.length === 0 || rivals.some(({ held }) => held)) return [];
      const names = [...new Set(rivals.map(({ owner }) => owner.name))];
      const then = names.length === 1 ? 'it starts' : 'they start';
      return [
        `Host port ${port.port}/${port.protocol} is also needed by ${names.join(' and ')} when ${then}. Only one of them can use it.`,
      ];
    });
  }

  /** Engines list the ports of running containers only. Those of stopped ones need an inspection. */
  private async ofStopped(runtime: string, nodes: readonly NodeContainer[]): Promise<ClaimedPort[]> {
    const ended = nodes.filter(hasEnded);
    const driver = this.runtimes.available().find(({ id }) => id === runtime);
    if (!driver) return [];
    const settings = await Promise.all(
      [...new Set(ended.map(({ cluster }) => cluster))].map(async (name) => {
        // An error only means one warning less.
        const inspected = await driver.inspectNodes(name).catch(() => []);
        return inspected
          .filter(({ id }) => ended.some((node) => node.id === id))
          .flatMap(({ ports }) => claims(ports, { name, runtime }, false));
      }),
    );
    return settings.flat();
  }

  private async saved(): Promise<ClaimedPort[]> {
    const metas = await this.store.list();
    const ports = await Promise.all(
      metas.map(async ({ name, runtime }) => {
        const text = await this.store.readConfig({ name, runtime }).catch(() => undefined);
        const { parsed } = await kindConfigYaml.parseKindConfig(text ?? '');
        const owner = { name, runtime };
        return (parsed ? wantedPorts(parsed.config) : []).map((port) => ({ ...port, owner, held: false }));
      }),
    );
    return ports.flat();
  }
}

/** Whether no process of the container runs, so that it uses no port. */
export function hasEnded({ state }: NodeContainer): boolean {
  return state === 'exited' || state === 'created' || state === 'dead';
}

/** Ignores ports that the engine chooses at each start. */
function claims(ports: readonly PublishedPort[], owner: ClusterKey, held: boolean): ClaimedPort[] {
  return ports
    .filter(({ hostPort }) => hostPort > 0)
    .map(({ hostAddress, hostPort, protocol }) => ({
      address: hostAddress,
      port: hostPort,
      protocol,
      owner,
      held,
    }));
}
