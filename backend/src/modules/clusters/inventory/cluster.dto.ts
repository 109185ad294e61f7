import { Field, NestedField, NullableField } from '../../../core/api/index.js';
import { ExternalDto } from './external.dto.js';

export const CLUSTER_STATES = [
  'creating',
  'running',
  'degraded',
  'paused',
  'stopped',
  'starting',
  'stopping',
  'deleting',
  'failed',
  'cancelled',
  'missing',
  'unknown',
] as const;
export type ClusterState = (typeof CLUSTER_STATES)[number];

export class ClusterNodeDto {
  @Field({ example: 'staging-control-plane' })
  name!: string;

  @Field({ enum: ['control-plane', 'worker', 'external-load-balancer'], enumName: 'NodeRole' })
  role!: 'control-plane' | 'worker' | 'external-load-balancer';

  @Field({
    enum: ['created', 'running', 'paused', 'restarting', 'exited', 'dead', 'removing', 'unknown'],
    enumName: 'NodeState',
    description: 'State of its container',
  })
  state!: 'created' | 'running' | 'paused' | 'restarting' | 'exited' | 'dead' | 'removing' | 'unknown';

  @NullableField(String, { example: '172.18.0.3' })
  address!: string | null;

  @Field({ example: 'kindest/node:v1.34.4' })
  image!: string;
}

export class ClusterPortDto {
  @Field({ description: 'Address on the host', example: '127.0.0.1' })
  listen_address!: string;

  @Field({ example: 8080 })
  host_port!: number;

  @Field({ description: 'Port of the node', example: 80 })
  container_port!: number;

  @Field({ example: 'TCP' })
  protocol!: string;
}

export class PodCounts {
  @Field({ example: 21 })
  ready!: number;

  @Field({ description: 'All Pods that have not completed', example: 23 })
  total!: number;

  @Field({
    description:
      'Restarts of containers. Of those before Slipway watched the cluster, only restarts that surely were in the last hour are counted',
    example: 4,
  })
  restarts_last_hour!: number;
}

export class LastChangeDto {
  @Field({ example: '2026-11-21T09:40:48.102Z' })
  time!: string;

  @Field({ description: 'Kind of operation or event, as in the journal', example: 'config' })
  kind!: string;

  @Field({ example: 'Scaled deployment shop/web from 1 to 3.' })
  message!: string;
}

export class ClusterDto {
  @Field({ example: 'staging' })
  name!: string;

  @Field({ description: 'Its engine; `kubeconfig` for a context of a kubeconfig', example: 'docker' })
  runtime!: string;

  @Field({ enum: CLUSTER_STATES, enumName: 'ClusterState' })
  state!: ClusterState;

  @NullableField(String, {
    description: 'Why it is in that state',
    example: 'staging-worker is not running, exit status 137',
  })
  state_reason!: string | null;

  @Field({
    enum: ['created', 'adopted', 'external'],
    enumName: 'ClusterOrigin',
    description: '`adopted`: created by kind outside Slipway. `external`: a context of a kubeconfig',
  })
  origin!: 'created' | 'adopted' | 'external';

  @Field({ example: 1 })
  control_planes!: number;

  @Field({ example: 2 })
  workers!: number;

  @NullableField(String, { example: 'v1.34.4' })
  node_image_tag!: string | null;

  @NullableField(String, { example: 'v1.34.4' })
  kubernetes_version!: string | null;

  @Field({ description: 'Whether the saved config has changed since the cluster was created' })
  config_changed!: boolean;

  @Field({
    description:
      'Whether something other than Slipway stopped it, such as a restart of the host after which the engine does not restart containers',
  })
  stopped_unexpectedly!: boolean;

  @NullableField(String, { example: 'https://127.0.0.1:37655' })
  api_server!: string | null;

  @NestedField(() => ClusterPortDto, {
    isArray: true,
    description: 'Published ports of the nodes, without that of the API server',
  })
  ports!: ClusterPortDto[];

  @Field({ example: '2026-11-21T09:40:48.102Z' })
  created_at!: string;

  @NullableField(String, { example: '2026-11-21T09:40:48.102Z' })
  state_since!: string | null;

  @NullableField(Number, { description: 'The active job', example: null })
  active_job_id!: number | null;

  @NullableField(Number, {
    description: 'Number of workloads that do not work; null if unknown, as while it does not run',
    example: 2,
  })
  problems!: number | null;

  @Field({ description: 'Whether it is degraded, failed, missing or unknown, or has problems' })
  needs_attention!: boolean;

  @NestedField(() => PodCounts, {
    nullable: true,
    description: 'null if unknown, as while it does not run',
  })
  pods!: PodCounts | null;

  @NestedField(() => LastChangeDto, {
    nullable: true,
    description: 'The newest entry of the journal that changed it or its objects; null without any',
  })
  last_change!: LastChangeDto | null;

  @Field({ description: 'Whether the nodes of a failed creation were kept' })
  nodes_kept!: boolean;

  @NestedField(() => ClusterNodeDto, { isArray: true })
  nodes!: ClusterNodeDto[];

  @NestedField(() => ExternalDto, { nullable: true, description: 'null for a cluster of kind' })
  external!: ExternalDto | null;
}

export class ObjectNamesDto {
  @Field({ type: [String], example: ['staging-control-plane', 'staging-worker'] })
  containers!: string[];

  @Field({ type: [String], description: 'Names of volumes' })
  volumes!: string[];
}

export class RemovedDto extends ObjectNamesDto {
  @Field({ type: [String], description: 'Saved files', example: ['cluster.yaml', 'meta.json'] })
  files!: string[];
}

export class DeletionDto {
  @Field({ example: 'staging' })
  cluster!: string;

  @Field({ description: 'Always true: a failed deletion is an error' })
  deleted!: boolean;

  @NestedField(() => RemovedDto)
  removed!: RemovedDto;

  @Field({ example: 13 })
  job_id!: number;
}

export class ProvisionStageDto {
  @Field({ example: 'starting-control-plane' })
  name!: string;

  @Field({ example: 'Starting control-plane' })
  title!: string;

  @NullableField(String, { example: '2026-11-21T09:40:48.102Z' })
  started_at!: string | null;

  @NullableField(String, { example: '2026-11-21T09:40:48.102Z' })
  finished_at!: string | null;

  @Field({
    description: 'State of the step: succeeded, failed, cancelled, skipped, pending or running',
    example: 'succeeded',
  })
  outcome!: string;

  @Field({ description: 'Log of the stage', example: 'Creating cluster "staging" ...' })
  output!: string;
}

export class ProvisionLogDto {
  @Field({ example: 'staging' })
  cluster!: string;

  @Field({ example: 12 })
  job_id!: number;

  @Field({ description: 'Outcome of the creation, or `running`', example: 'succeeded' })
  outcome!: string;

  @NullableField(String, { example: '2026-11-21T09:40:48.102Z' })
  started_at!: string | null;

  @NullableField(String, { example: '2026-11-21T09:40:48.102Z' })
  finished_at!: string | null;

  @NestedField(() => ProvisionStageDto, { isArray: true })
  stages!: ProvisionStageDto[];
}

export class CheckProblemDto {
  @Field({
    description: 'Field of the request such as `addons[0].values`, or path in the config',
    example: 'node_image_tag',
  })
  field!: string;

  @Field({ example: 'must be a full tag: v, then three numbers, such as v1.34.4' })
  problem!: string;

  @NullableField(Number, { description: 'Line in the text of the field', example: 4 })
  line!: number | null;

  @NullableField(Number, { description: 'Column in the text of the field', example: 3 })
  column!: number | null;

  @Field({ enum: ['needs_cgroup_v2'], description: 'What `accept_cgroup_v1` accepts', required: false })
  code?: 'needs_cgroup_v2';

  @Field({
    description: 'For a host port in use: the next free one',
    example: 18211,
    nullable: true,
    required: false,
  })
  next_port?: number;
}

export class HostAccessDto {
  @Field({ enum: ['mount', 'patch', 'image', 'address'] })
  kind!: string;

  @Field({ example: 'nodes[0].extraMounts[0]' })
  path!: string;

  @Field({ example: 'mounts /var/run/docker.sock of the host at /var/run/docker.sock' })
  what!: string;
}

export class ClusterCheckDto {
  @Field({ description: 'Whether the same request would be accepted by POST /clusters' })
  acceptable!: boolean;

  @NestedField(() => CheckProblemDto, { isArray: true, description: 'All problems' })
  problems!: CheckProblemDto[];

  @Field({ type: [String], description: 'Problems that do not prevent the creation' })
  warnings!: string[];

  @NestedField(() => HostAccessDto, {
    isArray: true,
    description: 'What the given config can access on the host; confirm it with `accept_host_access`',
  })
  host_access!: HostAccessDto[];

  @NullableField(String, {
    description: 'The kind config that the cluster would be created from',
    example: 'kind: Cluster\n…',
  })
  config!: string | null;
}

/** Result and cost of a creation, for a drawing of the cluster. */
export class CreationPlanDto {
  @Field({ example: 1 })
  control_planes!: number;

  @Field({ example: 2 })
  workers!: number;

  @NestedField(() => ClusterPortDto, { isArray: true, description: 'Ports of nodes on the host' })
  ports!: ClusterPortDto[];

  @Field({ description: 'Memory that the nodes take after their creation', example: 1300000000 })
  memory_bytes!: number;

  @NullableField(Number, { description: 'Free memory of the engine; null if unknown', example: 23000000000 })
  memory_free_bytes!: number | null;

  @NullableField(Number, {
    description: 'Expected duration from earlier creations on this host; null without them',
    example: 26.4,
  })
  seconds!: number | null;
}

export class CreationCheckDto extends ClusterCheckDto {
  @NestedField(() => CreationPlanDto, { nullable: true, description: 'Null for an invalid config' })
  plan!: CreationPlanDto | null;
}
