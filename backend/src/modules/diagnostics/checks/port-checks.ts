import { Injectable } from '@nestjs/common';
import { Configuration } from '../../../core/config/index.js';
import { publishedPorts, RuntimeRegistry } from '../../../drivers/runtime/index.js';
import { kindConfigYaml } from '../../kind-config/index.js';
import { ClustersService, ClusterStore, Preflight, type Cluster } from '../../clusters/index.js';
import type { DiagnosticCheckDto } from './diagnostics.dto.js';

/** States in which a cluster does not use its ports. */
const INACTIVE = new Set<Cluster['state']>(['stopped', 'failed', 'cancelled', 'missing']);

/** Finds ports of inactive clusters that other programs use. */
@Injectable()
export class PortChecks {
  constructor(
    private readonly configuration: Configuration,
    private readonly clusters: ClustersService,
    private readonly store: ClusterStore,
    private readonly preflight: Preflight,
    private readonly runtimes: RuntimeRegistry,
  ) {}

  async read(): Promise<DiagnosticCheckDto[]> {
    const clusters = (await this.clusters.list()).filter(
      // Kept nodes of a failed creation may use the ports themselves.
      ({ state, nodes }) => INACTIVE.has(state) && !nodes.some((node) => node.state === 'running'),
    );
    const taken = (await Promise.all(clusters.map((cluster) => this.takenFrom(cluster)))).flat();
    if (taken.length > 0) return taken;
    return [
      {
        name: 'ports',
        title: 'Ports',
        level: 'ok',
        message:
          clusters.length === 0
            ? 'no inactive clusters'
            : publishedPorts(this.runtimes)
              ? 'not checked on the host, because Slipway runs in a container'
              : 'the ports of all inactive clusters are free',
        fix: null,
      },
    ];
  }

  private async takenFrom(cluster: Cluster): Promise<DiagnosticCheckDto[]> {
    const text = await this.store.readConfig(cluster).catch(() => undefined);
    const config =
      text === undefined ? undefined : (await kindConfigYaml.parseKindConfig(text)).parsed?.config;
    if (!config) return [];
    const taken = await this.preflight.takenPorts(config);
    return taken.map(({ port: { port, protocol }, problem }) => ({
      name: `port-${cluster.runtime}-${cluster.name}-${port}-${protocol.toLowerCase()}`,
      title: `Port ${port} of ${cluster.name}`,
      level: 'warning',
      message: `${problem}; ${cluster.name} cannot start until it is free`,
      fix: this.listenerCommand(port, protocol),
    }));
  }

  private listenerCommand(port: number, protocol: string): string {
    if (this.configuration.platform === 'linux') {
      return `sudo ss -${protocol === 'UDP' ? 'u' : 't'}lnp 'sport = :${port}'`;
    }
    return `sudo lsof -nP -i${protocol}:${port}`;
  }
}
