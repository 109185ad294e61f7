import { Field, NestedField, NullableField } from '../../core/api/index.js';
import type { NodeRole, NodeState } from '../../drivers/runtime/index.js';
import { CLUSTER_STATES, type ClusterState } from '../clusters/index.js';

const NODE_STATES = ['created', 'running', 'paused', 'restarting', 'exited', 'dead', 'removing', 'unknown'];

const TREND = { type: 'array', items: { type: 'number', nullable: true }, maxItems: 60 } as const;

/** A node and its usage. All figures are null while they are unknown, as for a node that is not running. */
export class NodeStatsDto {
  @Field({ example: 'staging-control-plane' })
  name!: string;

  @Field({ enum: ['control-plane', 'worker', 'external-load-balancer'], enumName: 'NodeRole' })
  role!: NodeRole;

  @Field({ enum: NODE_STATES, enumName: 'NodeState' })
  state!: NodeState;

  @NullableField(Number, { description: '100 is one core; null until two samples were taken', example: 23.4 })
  cpu_percent: number | null = null;

  @NullableField(Number, { description: 'Maximum since the sampler started', example: 61.2 })
  cpu_peak_percent: number | null = null;

  @NullableField(Number, {
    description: 'Without the page cache if the engine reports it separately',
    example: 704716800,
  })
  memory_bytes: number | null = null;

  @NullableField(Number, { description: 'Maximum since the sampler started', example: 1048576 })
  memory_peak_bytes: number | null = null;

  @NullableField(Number, {
    description: 'Memory of the host if the node has no limit',
    example: 25276510208,
  })
  memory_limit_bytes: number | null = null;

  @NullableField(Number, { example: 2.79 })
  memory_percent: number | null = null;

  @NullableField(Number, { description: 'Since the start of the container', example: 1048576 })
  network_rx_bytes: number | null = null;

  @NullableField(Number, { example: 1048576 })
  network_tx_bytes: number | null = null;

  @NullableField(Number, { description: 'Bytes per second', example: 20480 })
  network_rx_rate: number | null = null;

  @NullableField(Number, { example: 20480 })
  network_tx_rate: number | null = null;

  @NullableField(Number, { description: 'Since the start of the container', example: 1048576 })
  block_read_bytes: number | null = null;

  @NullableField(Number, { example: 1048576 })
  block_write_bytes: number | null = null;

  @NullableField(Number, { description: 'Bytes per second', example: 20480 })
  block_read_rate: number | null = null;

  @NullableField(Number, { example: 20480 })
  block_write_rate: number | null = null;

  @NullableField(String, {
    description: 'null if the node is not running',
    example: '2026-11-21T12:08:21.403Z',
  })
  sampled_at: string | null = null;

  @Field({
    ...TREND,
    description:
      'Maximum of `cpu_percent` in each 15 s of the last 15 minutes, the oldest first; null for a time in which the sampler did not run',
    example: [null, 23.4, 61.2],
  })
  cpu_trend: (number | null)[] = [];

  @Field({
    ...TREND,
    description: 'Maximum of `memory_bytes`, as in `cpu_trend`',
    example: [null, 704716800, 712716800],
  })
  memory_trend: (number | null)[] = [];
}

export class ClusterStatsDto {
  @Field({ example: 'staging' })
  cluster!: string;

  @Field({ example: 'docker' })
  runtime!: string;

  @Field({ enum: CLUSTER_STATES, enumName: 'ClusterState' })
  state!: ClusterState;

  @NestedField(() => NodeStatsDto, { isArray: true })
  nodes!: NodeStatsDto[];
}

export class ClusterCountsDto {
  @Field({ example: 9 })
  total!: number;

  @Field({ example: 3 })
  running!: number;

  @Field({
    description: 'By `needs_attention` of the clusters: those with problems also count as running',
    example: 2,
  })
  needs_attention!: number;

  @Field({ description: 'stopped or paused', example: 3 })
  resting!: number;

  @Field({ description: 'creating, starting, stopping or deleting', example: 1 })
  working!: number;

  @Field({ description: 'Nodes of all clusters', example: 13 })
  nodes_total!: number;

  @Field({ description: 'Nodes with a running container', example: 12 })
  nodes_running!: number;
}

export class HostStatsDto {
  @NullableField(Number, { example: 8 })
  cpu_cores!: number | null;

  @NullableField(Number, { example: 33501757440 })
  memory_bytes!: number | null;

  @NullableField(Number, {
    description: 'On the disk where the engine stores images; null inside a virtual machine',
    example: 84000000000,
  })
  disk_free_bytes!: number | null;
}

export class RuntimeStatsDto {
  @Field({ example: 'docker' })
  id!: string;

  @Field()
  available!: boolean;

  @NullableField(String, {
    example: '28.5.1',
  })
  version!: string | null;

  @NullableField(String, {
    description: 'Why it is unavailable',
    example: 'docker does not respond',
  })
  reason!: string | null;

  @NullableField(String, {
    description: 'The command that fixes it',
    example: 'sudo systemctl start docker',
  })
  fix!: string | null;

  @Field({ description: 'When it became available or unavailable', example: '2026-11-21T09:40:48.102Z' })
  since!: string;

  @Field({ description: 'Whether memory figures include the page cache' })
  memory_includes_cache!: boolean;

  @Field()
  rootless!: boolean;

  @NullableField(String, {
    description: 'Hostname of the host in its containers; null until the engine has responded',
    example: 'host.docker.internal',
  })
  host_alias!: string | null;

  @NestedField(() => HostStatsDto)
  host!: HostStatsDto;
}

export class StatsDto {
  @Field({
    description:
      'Engine of new clusters, also while the one of APP_RUNTIME does not respond; `none` if no engine is available',
    example: 'docker',
  })
  container_cli!: string;

  @Field({
    description: 'Sum of the workers in the saved metadata; missing or invalid metadata counts as 0',
    example: 5,
  })
  total_workers_from_meta!: number;

  @NestedField(() => ClusterCountsDto)
  clusters!: ClusterCountsDto;

  @NestedField(() => ClusterStatsDto, {
    isArray: true,
    description: 'Per cluster and node, from the statistics of the engines',
  })
  cluster_resources!: ClusterStatsDto[];

  @NestedField(() => HostStatsDto, { description: 'Host of the active engine' })
  host!: HostStatsDto;

  @NestedField(() => RuntimeStatsDto, { isArray: true })
  runtimes!: RuntimeStatsDto[];

  @Field({ description: 'When the figures were sampled', example: '2026-11-21T12:08:21.403Z' })
  sampled_at!: string;
}
