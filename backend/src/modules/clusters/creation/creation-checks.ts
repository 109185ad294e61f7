import { Injectable } from '@nestjs/common';
import { DomainError } from '../../../core/errors/index.js';
import {
  assertUsable,
  type ClusterShape,
  ProvisionerSelector,
  type ProvisionerStatus,
} from '../../../drivers/provisioner/index.js';
import { assertAvailable, type NodeContainer, type RuntimeDriver } from '../../../drivers/runtime/index.js';
import { JobsService } from '../../jobs/index.js';
import { type KindConfig, kindConfigYaml, shapeOf, wantedPorts } from '../../kind-config/index.js';
import type { CheckProblemDto, ClusterDto } from '../inventory/cluster.dto.js';
import { ClustersService } from '../inventory/clusters.service.js';
import { ClaimedPorts } from '../preflight/claimed-ports.js';
import { nextFree, PortIndex } from '../preflight/next-port.js';
import { PortHolders } from '../preflight/port-holders.js';
import { type HostFinding, portProblem, Preflight, type TakenPort } from '../preflight/preflight.js';
import { problemAt } from './check-problems.js';

interface PlannedCluster {
  name: string;
  runtime: RuntimeDriver;
  config: KindConfig;
  /** Undefined for a new name. Nodes that are not replaced prevent the creation. */
  existing?: { nodes: readonly NodeContainer[]; replaced: readonly { id: string }[] };
  /** Whether the user wants nodes that are expected not to start on cgroup v1. */
  acceptCgroupV1?: boolean;
}

/** The DTO leaves out the error, which is for a request or a job. */
type CreationProblem = CheckProblemDto & { error: DomainError };

interface CreationFindings {
  problems: CreationProblem[];
  /** Ports that other clusters also need. */
  warnings: string[];
  host: HostFinding[];
  provisioner: ProvisionerStatus;
}

/** Decides whether a cluster can be created now. The check, the request, the job and recreations share it. */
@Injectable()
export class CreationChecks {
  constructor(
    private readonly clusters: ClustersService,
    private readonly jobs: JobsService,
    private readonly provisioners: ProvisionerSelector,
    private readonly preflight: Preflight,
    private readonly claimedPorts: ClaimedPorts,
    private readonly portHolders: PortHolders,
  ) {}

  /** @throws DomainError `runtime_unavailable`: the other checks would wait for the engine, too. */
  async findings({
    name,
    runtime,
    config,
    existing,
    acceptCgroupV1 = false,
  }: PlannedCluster): Promise<CreationFindings> {
    await assertAvailable(runtime);
    const provisioner = await this.provisioners.for(runtime).status();
    const { nodes = [], replaced = [] } = existing ?? {};
    const [namesake, taken, warnings, host, names] = await Promise.all([
      existing ? undefined : this.namesakeOf(name),
      this.preflight.takenPorts(config, nodes).then((found) => this.explainPorts(found, config)),
      this.claimedPorts.warnings(config, { name, runtime: runtime.id }),
      this.preflight.host(runtime, growth(shapeOf(config), nodes)),
      this.foreignContainers({ name, runtime, config, existing }),
    ]);
    const inUse = new DomainError(
      'config_refused',
      `${taken.map(({ problem }) => problem).join('. ')}. Stop that program, or choose other ports.`,
    );
    // In a container, Slipway sees the addresses of the container.
    const { ownContainer } = runtime.info();
    const noIpv6 = ownContainer === null ? this.preflight.ipv6Places(config) : [];
    const isOnV1 = runtime.info().capabilities.cgroupVersion === 1 && !acceptCgroupV1;
    const refused = isOnV1 ? await kindConfigYaml.cgroupNeedsOf(config) : [];
    return {
      problems: [
        ...refused.map(({ where, tag }) => {
          const problem = `${tag} does not start on this host: Kubernetes 1.35 and later need cgroup v2, and the host of ${runtime.id} has cgroup v1`;
          const fix = `Choose v1.34 or earlier, or set failCgroupV1: false in a patch of kind KubeletConfiguration, or send accept_cgroup_v1.`;
          return {
            ...problemAt(where, problem),
            code: 'needs_cgroup_v2' as const,
            error: new DomainError('config_refused', `${problem}. ${fix}`),
          };
        }),
        ...noIpv6.map(({ where, problem }) => ({
          ...problemAt(where, problem),
          error: new DomainError(
            'config_refused',
            `${problem}. Enable IPv6, or use ipFamily: ipv4 and an IPv4 address.`,
          ),
        })),
        ...problemOf('name', namesake && `already exists in ${namesake.runtime}`, () => {
          if (!existing) this.jobs.assertIdle(name);
          if (namesake) throw alreadyExists(namesake);
          assertOnly(replaced, nodes, name, runtime);
        }),
        ...problemOf('name', undefined, () => {
          if (names.length > 0) throw namesTaken(names, runtime);
        }),
        ...taken.map(({ port: { where }, problem, next }) => ({
          ...problemAt(where, problem),
          ...(next === undefined ? {} : { next_port: next }),
          error: inUse,
        })),
        ...problemOf('runtime', provisioner.problem?.reason, () => assertUsable(provisioner)),
      ],
      warnings,
      host: [...this.preflight.nodeImages(config, provisioner), ...host],
      provisioner,
    };
  }

  /** Who uses ports, and which are free instead. */
  private async explainPorts(
    taken: readonly TakenPort[],
    config: KindConfig,
  ): Promise<(TakenPort & { next: number | undefined })[]> {
    if (taken.length === 0) return [];
    const others = [new PortIndex(await this.claimedPorts.all()), new PortIndex(wantedPorts(config))];
    return await Promise.all(
      taken.map(async ({ port }) => {
        const holder = await this.portHolders.of(port.port, port.protocol);
        const next = await nextFree(port, others);
        const instead = next === undefined ? '' : `; ${next} is free`;
        return { port, problem: `${portProblem(port, holder)}${instead}`, next };
      }),
    );
  }

  /** Containers of other programs with the name of a future node, which the engine would reject halfway. */
  private async foreignContainers({ name, runtime, config, existing }: PlannedCluster): Promise<string[]> {
    const containers = await runtime.containerNames();
    const taken = nodeNames(name, shapeOf(config)).filter((node) => containers.includes(node));
    if (taken.length === 0) return [];
    const nodes = await runtime.listNodes();
    // Existing nodes of the cluster have a message of their own.
    const own = [...(existing?.nodes ?? []), ...nodes.filter(({ cluster }) => cluster === name)];
    return taken.filter((node) => !own.some((known) => known.name === node));
  }

  private async namesakeOf(name: string): Promise<ClusterDto | undefined> {
    return (await this.clusters.list()).find((cluster) => cluster.name === name);
  }
}

/** @throws DomainError `cluster_exists` if a node is not one of those that are replaced. */
export function assertOnly(
  replaced: readonly { id: string }[],
  nodes: readonly { id: string; name: string }[],
  name: string,
  { id }: RuntimeDriver,
): void {
  const foreign = nodes.filter((node) => !replaced.some((known) => known.id === node.id));
  if (foreign.length === 0) return;
  const names = foreign.map((container) => container.name).join(', ');
  throw new DomainError(
    'cluster_exists',
    `${id} already has containers of a cluster called ${name}: ${names}.`,
  );
}

/** As kind names them. */
function nodeNames(cluster: string, { controlPlanes, workers }: ClusterShape): string[] {
  const numbered = (role: string, count: number): string[] =>
    Array.from({ length: count }, (_, index) => `${cluster}-${role}${index === 0 ? '' : index + 1}`);
  return [
    ...numbered('control-plane', controlPlanes),
    ...numbered('worker', workers),
    ...numbered('external-load-balancer', controlPlanes > 1 ? 1 : 0),
  ];
}

function namesTaken(names: readonly string[], { id }: RuntimeDriver): DomainError {
  const which = names.length === 1 ? 'a container' : 'containers';
  return new DomainError(
    'cluster_exists',
    `${id} already has ${which} called ${names.join(', ')}, which another program created. Choose another name, or remove it: ${id} rm -f ${names.join(' ')}`,
    { runtime: id, containers: names },
  );
}

function alreadyExists({ name, runtime, state }: ClusterDto): DomainError {
  const hint =
    state === 'failed'
      ? 'Its last creation failed. Delete it first.'
      : 'Choose another name, or delete it first.';
  return new DomainError('cluster_exists', `${name} already exists in ${runtime}. ${hint}`, {
    runtime,
    state,
  });
}

/** @param problem for a form; by default the message of the error */
function problemOf(field: string, problem: string | undefined, assert: () => void): CreationProblem[] {
  try {
    assert();
    return [];
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return [{ ...problemAt(field, problem ?? error.message), error }];
  }
}

/** Nodes in addition to the number of running nodes that are removed first. */
function growth(shape: ClusterShape, leaving: readonly NodeContainer[]): ClusterShape {
  const count = (wanted: NodeContainer['role']): number =>
    leaving.filter(({ role, state }) => role === wanted && state === 'running').length;
  return {
    ...shape,
    controlPlanes: Math.max(0, shape.controlPlanes - count('control-plane')),
    workers: Math.max(0, shape.workers - count('worker')),
  };
}
