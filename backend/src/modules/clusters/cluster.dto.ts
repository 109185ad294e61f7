import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import {
  ArrayMaxSize,
  IsArray,
  IsBoolean,
  IsIn,
  IsInt,
  IsIP,
  IsObject,
  IsString,
  Matches,
  Max,
  MaxLength,
  Min,
  ValidateIf,
  ValidateNested,
} from 'class-validator';
import { Field, NestedField, Optional } from '../../core/api/index.js';
import {
  CLUSTER_NAME,
  MAX_CONTROL_PLANES,
  MAX_WORKERS,
  NODE_IMAGE_TAG,
  RUNTIME_ID,
} from '../../core/security/index.js';
import { CLUSTER_ORIGINS, CLUSTER_STATES, type ClusterOrigin, type ClusterState } from './cluster.js';
import {
  DistinctContainerPaths,
  DistinctHostPorts,
  FreePlace,
  NotTogetherWith,
} from './cluster.validators.js';
import { MAX_CONFIG_LENGTH } from './kind-config/parse-kind-config.js';

const PROTOCOLS = ['TCP', 'UDP', 'SCTP'] as const;

export class PortMappingDto {
  @ApiProperty({ description: 'Port inside the node', example: 80 })
  @IsInt({ message: 'must be a whole number' })
  @Min(1, { message: 'must be from 1 to 65535' })
  @Max(65535, { message: 'must be from 1 to 65535' })
  container_port!: number;

  @ApiProperty({ description: 'Port of this machine', example: 8080 })
  @IsInt({ message: 'must be a whole number' })
  @Min(1, { message: 'must be from 1 to 65535' })
  @Max(65535, { message: 'must be from 1 to 65535' })
  host_port!: number;

  @ApiPropertyOptional({ description: 'Address of this machine', default: '127.0.0.1' })
  @Optional()
  @IsIP(undefined, { message: 'must be an IP address, such as 127.0.0.1' })
  listen_address: string = '127.0.0.1';

  @ApiPropertyOptional({ enum: PROTOCOLS, default: 'TCP' })
  @Optional()
  @IsIn(PROTOCOLS, { message: 'must be TCP, UDP or SCTP' })
  protocol: 'TCP' | 'UDP' | 'SCTP' = 'TCP';
}

export class MountDto {
  @ApiProperty({ description: 'Absolute path on this machine', example: '/home/me/code' })
  @IsString({ message: 'must be text' })
  @MaxLength(1000, { message: 'must have at most 1000 characters' })
  @Matches(/^\/[^\0\n\r:]*$/, { message: 'must be an absolute path without a colon' })
  host_path!: string;

  @ApiProperty({ description: 'Absolute path inside every node', example: '/code' })
  @IsString({ message: 'must be text' })
  @MaxLength(1000, { message: 'must have at most 1000 characters' })
  @Matches(/^\/[^\0\n\r:]*$/, { message: 'must be an absolute path without a colon' })
  @FreePlace()
  container_path!: string;

  @ApiPropertyOptional({ default: false })
  @Optional()
  @IsBoolean({ message: 'must be true or false' })
  read_only: boolean = false;
}

export class CreateClusterDto {
  @ApiProperty({
    description: 'Small letters, digits and hyphens, up to 40',
    pattern: CLUSTER_NAME.source,
    example: 'staging',
  })
  @IsString({ message: 'must be text' })
  @Matches(CLUSTER_NAME, {
    message:
      'must be 1 to 40 small letters, digits and hyphens, with a letter or digit at both ends, such as staging-eu',
  })
  name!: string;

  @ApiPropertyOptional({
    description: 'Worker nodes. Required unless `config` is given.',
    minimum: 0,
    maximum: MAX_WORKERS,
    example: 2,
  })
  @ValidateIf(({ workers, config }: CreateClusterDto) => config === undefined || workers !== undefined)
  @NotTogetherWith('config')
  @IsInt({ message: `must be a whole number from 0 to ${MAX_WORKERS}` })
  @Min(0, { message: `must be a whole number from 0 to ${MAX_WORKERS}` })
  @Max(MAX_WORKERS, { message: `must be a whole number from 0 to ${MAX_WORKERS}` })
  workers?: number;

  @ApiPropertyOptional({
    description:
      'Tag of the node image, as `GET /versions` lists them. Required unless `config` is given; then it fills in for nodes without an image.',
    pattern: NODE_IMAGE_TAG.source,
    example: 'v1.34.4',
  })
  @ValidateIf(
    ({ node_image_tag, config }: CreateClusterDto) => config === undefined || node_image_tag !== undefined,
  )
  @IsString({ message: 'must be text' })
  @Matches(NODE_IMAGE_TAG, {
    message: 'must be a full tag: v, then three numbers, such as v1.34.4, with or without @sha256:…',
  })
  node_image_tag?: string;

  @ApiPropertyOptional({
    description: 'Control planes; more than one get a load balancer',
    minimum: 1,
    maximum: MAX_CONTROL_PLANES,
    default: 1,
  })
  @Optional()
  @NotTogetherWith('config')
  @IsInt({ message: `must be a whole number from 1 to ${MAX_CONTROL_PLANES}` })
  @Min(1, { message: `must be a whole number from 1 to ${MAX_CONTROL_PLANES}` })
  @Max(MAX_CONTROL_PLANES, { message: `must be a whole number from 1 to ${MAX_CONTROL_PLANES}` })
  control_planes?: number;

  @ApiPropertyOptional({
    type: [PortMappingDto],
    description: 'Ports of this machine that lead to the first control plane',
  })
  @Optional()
  @NotTogetherWith('config')
  @DistinctHostPorts()
  @IsArray({ message: 'must be a list' })
  @ArrayMaxSize(50, { message: 'must have at most 50 entries' })
  // A list within the list would be walked as if it were not there.
  @IsObject({ each: true, message: 'must be a list of port mappings' })
  @ValidateNested({ each: true, message: 'must be a list of port mappings' })
  @Type(() => PortMappingDto)
  port_mappings?: PortMappingDto[];

  @ApiPropertyOptional({ type: [MountDto], description: 'Folders of this machine that every node sees' })
  @Optional()
  @NotTogetherWith('config')
  @IsArray({ message: 'must be a list' })
  @ArrayMaxSize(20, { message: 'must have at most 20 entries' })
  @DistinctContainerPaths()
  @IsObject({ each: true, message: 'must be a list of mounts' })
  @ValidateNested({ each: true, message: 'must be a list of mounts' })
  @Type(() => MountDto)
  mounts?: MountDto[];

  @ApiPropertyOptional({ description: 'Which engine; without it the active one', example: 'docker' })
  @Optional()
  @IsString({ message: 'must be text' })
  @Matches(RUNTIME_ID, { message: 'must be the name of a runtime, such as docker' })
  runtime?: string;

  @ApiPropertyOptional({
    description:
      'A whole kind config (v1alpha4, YAML) in place of workers, control_planes, port_mappings and mounts',
  })
  @Optional()
  @IsString({ message: 'must be text' })
  @MaxLength(MAX_CONFIG_LENGTH, { message: `must have at most ${MAX_CONFIG_LENGTH} characters` })
  config?: string;

  @ApiPropertyOptional({
    description:
      'Whether what `config` reaches on this machine (mounts, patches, foreign images) was seen and is wanted',
    default: false,
  })
  @Optional()
  @IsBoolean({ message: 'must be true or false' })
  accept_host_access?: boolean;

  @ApiPropertyOptional({ description: 'Keep the nodes if creation fails, to look into them', default: false })
  @Optional()
  @IsBoolean({ message: 'must be true or false' })
  keep_on_failure?: boolean;
}

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

  @Field({ type: String, nullable: true, example: '172.18.0.3' })
  address!: string | null;

  @Field({ example: 'kindest/node:v1.34.4' })
  image!: string;
}

export class ClusterDto {
  @Field({ example: 'staging' })
  name!: string;

  @Field({ example: 'docker' })
  runtime!: string;

  @Field({ enum: CLUSTER_STATES, enumName: 'ClusterState' })
  state!: ClusterState;

  @Field({
    type: String,
    nullable: true,
    description: 'Why it is in that state',
    example: 'staging-worker is not running, exit status 137',
  })
  state_reason!: string | null;

  @Field({
    enum: CLUSTER_ORIGINS,
    enumName: 'ClusterOrigin',
    description: '`adopted` was made by kind outside Slipway',
  })
  origin!: ClusterOrigin;

  @Field({ example: 1 })
  control_planes!: number;

  @Field({ description: 'Workers that there are', example: 2 })
  workers!: number;

  @Field({ type: String, nullable: true, example: 'v1.34.4' })
  node_image_tag!: string | null;

  @Field({ type: String, nullable: true, example: 'v1.34.4' })
  kubernetes_version!: string | null;

  @Field({ description: 'Whether the saved config was changed since the cluster was made' })
  config_changed!: boolean;

  @Field({
    description:
      'Whether it is stopped although it was last wanted running, as after a restart of the machine where the engine brings nothing back',
  })
  stopped_unexpectedly!: boolean;

  @Field({ type: String, nullable: true, example: 'https://127.0.0.1:37655' })
  api_server!: string | null;

  @Field({ example: '2026-11-21T09:40:48.102Z' })
  created_at!: string;

  @Field({ type: String, nullable: true, example: '2026-11-21T09:40:48.102Z' })
  state_since!: string | null;

  @Field({ type: Number, nullable: true, description: 'The job that is at work on it', example: null })
  active_job_id!: number | null;

  @Field({ description: 'Whether the nodes of a failed creation were kept' })
  nodes_kept!: boolean;

  @NestedField(() => ClusterNodeDto, { isArray: true })
  nodes!: ClusterNodeDto[];
}

export class RemovedDto {
  @Field({ type: [String], example: ['staging-control-plane', 'staging-worker'] })
  containers!: string[];

  @Field({ type: [String], description: 'Names of volumes' })
  volumes!: string[];

  @Field({ type: [String], description: 'Saved files', example: ['cluster.yaml', 'meta.json'] })
  files!: string[];
}

export class DeletionDto {
  @Field({ example: 'staging' })
  cluster!: string;

  @Field({ description: 'Always true: a deletion that failed is an error' })
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

  @Field({ type: String, nullable: true, example: '2026-11-21T09:40:48.102Z' })
  started_at!: string | null;

  @Field({ type: String, nullable: true, example: '2026-11-21T09:40:48.102Z' })
  finished_at!: string | null;

  @Field({
    description: 'State of the step: succeeded, failed, cancelled, skipped, pending or running',
    example: 'succeeded',
  })
  outcome!: string;

  @Field({ description: 'What was said during the stage', example: 'Preparing nodes, done in 2.2 s' })
  output!: string;
}

export class ProvisionLogDto {
  @Field({ example: 'staging' })
  cluster!: string;

  @Field({ example: 12 })
  job_id!: number;

  @Field({ description: 'How the creation ended, or `running`', example: 'succeeded' })
  outcome!: string;

  @Field({ type: String, nullable: true, example: '2026-11-21T09:40:48.102Z' })
  started_at!: string | null;

  @Field({ type: String, nullable: true, example: '2026-11-21T09:40:48.102Z' })
  finished_at!: string | null;

  @NestedField(() => ProvisionStageDto, { isArray: true })
  stages!: ProvisionStageDto[];
}

export class CheckProblemDto {
  @Field({ description: 'Field of the request, or path in the config', example: 'node_image_tag' })
  field!: string;

  @Field({ example: 'must be a full tag: v, then three numbers, such as v1.34.4' })
  problem!: string;

  @Field({ type: Number, nullable: true, description: 'Line in `config`', example: 4 })
  line!: number | null;

  @Field({ type: Number, nullable: true, description: 'Column in `config`', example: 3 })
  column!: number | null;
}

export class HostAccessDto {
  @Field({ enum: ['mount', 'patch', 'image', 'address'] })
  kind!: string;

  @Field({ example: 'nodes[0].extraMounts[0]' })
  path!: string;

  @Field({ example: 'mounts /var/run/docker.sock of this machine at /var/run/docker.sock' })
  what!: string;
}

export class ClusterCheckDto {
  @Field({ description: 'Whether the same request would be accepted by POST /clusters' })
  acceptable!: boolean;

  @NestedField(() => CheckProblemDto, { isArray: true, description: 'Everything that is wrong, all at once' })
  problems!: CheckProblemDto[];

  @Field({ type: [String], description: 'What does not stand in the way but deserves a look' })
  warnings!: string[];

  @NestedField(() => HostAccessDto, {
    isArray: true,
    description: 'What a given config reaches on this machine; to be confirmed by `accept_host_access`',
  })
  host_access!: HostAccessDto[];

  @Field({
    type: String,
    nullable: true,
    description: 'The kind config that the cluster would be made from',
    example: 'kind: Cluster\n…',
  })
  config!: string | null;
}
