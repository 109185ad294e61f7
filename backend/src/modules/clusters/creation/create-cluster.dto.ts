import { ApiPropertyOptional } from '@nestjs/swagger';
import { plainToInstance, Transform, Type } from 'class-transformer';
import {
  ArrayMaxSize,
  ArrayUnique,
  IsArray,
  IsIn,
  IsIP,
  IsObject,
  Matches,
  ValidateIf,
  ValidateNested,
} from 'class-validator';
import { Flag, Integer, Optional, OptionalInteger, OptionalText, Text } from '../../../core/api/index.js';
import { MAX_CONTROL_PLANES, MAX_WORKERS, NODE_IMAGE_TAG, RUNTIME_ID } from '../../../core/security/index.js';
import {
  DistinctContainerPaths,
  DistinctHostPorts,
  NewClusterName,
  NotReservedPath,
  NotTogetherWith,
} from './cluster.validators.js';
import { MAX_CONFIG_LENGTH } from '../../kind-config/index.js';

const ADDON_NAME = /^[a-z0-9]([a-z0-9-]{0,38}[a-z0-9])?$/;
/** More than the catalog has. */
const MAX_ADDONS = 20;
/** The values of all addons together fit in a request body. */
const MAX_ADDON_VALUES = 50_000;
const PROTOCOLS = ['TCP', 'UDP', 'SCTP'] as const;

export class PortMappingDto {
  @Integer({ description: 'Port inside the node', minimum: 1, maximum: 65535, example: 80 })
  container_port!: number;

  @Integer({ description: 'Port on the host', minimum: 1, maximum: 65535, example: 8080 })
  host_port!: number;

  @ApiPropertyOptional({ description: 'Address on the host', default: '127.0.0.1' })
  @Optional()
  @IsIP(undefined, { message: 'must be an IP address, such as 127.0.0.1' })
  listen_address: string = '127.0.0.1';

  @ApiPropertyOptional({ enum: PROTOCOLS, default: 'TCP' })
  @Optional()
  @IsIn(PROTOCOLS, { message: 'must be TCP, UDP or SCTP' })
  protocol: 'TCP' | 'UDP' | 'SCTP' = 'TCP';
}

export class MountDto {
  @Text({ description: 'Absolute path on the host', example: '/home/me/code', maxLength: 1000 })
  @Matches(/^\/[^\0\n\r:]*$/, { message: 'must be an absolute path without a colon' })
  host_path!: string;

  @Text({ description: 'Absolute path inside every node', example: '/code', maxLength: 1000 })
  @Matches(/^\/[^\0\n\r:]*$/, { message: 'must be an absolute path without a colon' })
  @NotReservedPath()
  container_path!: string;

  @Flag()
  read_only: boolean = false;
}

/** An addon of the catalog to install once the cluster is ready. */
export class ChosenAddonDto {
  @Text({ description: 'Name of the addon in the catalog', example: 'metrics-server' })
  @Matches(ADDON_NAME, { message: 'must be the name of an addon in the catalog, such as metrics-server' })
  addon!: string;

  @OptionalText({
    description:
      'YAML that overrides the default values of the chart. Defaults to the values of the catalog.',
    example: 'replicas: 2\n',
    maxLength: MAX_ADDON_VALUES,
  })
  values?: string;
}

export class CreateClusterDto {
  @NewClusterName({ example: 'staging' })
  name!: string;

  @Integer({
    description: 'Worker nodes. Required unless `config` is given.',
    minimum: 0,
    maximum: MAX_WORKERS,
    example: 2,
    required: false,
  })
  @ValidateIf(({ workers, config }: CreateClusterDto) => config === undefined || workers !== undefined)
  @NotTogetherWith('config')
  workers?: number;

  @Text({
    description:
      'Tag of the node image, as listed by `GET /versions`. Required unless `config` is given; then it applies to nodes without an image.',
    pattern: NODE_IMAGE_TAG.source,
    example: 'v1.34.4',
    required: false,
  })
  @ValidateIf(
    ({ node_image_tag, config }: CreateClusterDto) => config === undefined || node_image_tag !== undefined,
  )
  @Matches(NODE_IMAGE_TAG, {
    message: 'must be a full tag: v, then three numbers, such as v1.34.4, with or without @sha256:…',
  })
  node_image_tag?: string;

  @OptionalInteger({
    description: 'Control planes. More than one get a load balancer.',
    minimum: 1,
    maximum: MAX_CONTROL_PLANES,
    default: 1,
  })
  @NotTogetherWith('config')
  control_planes?: number;

  @ApiPropertyOptional({
    type: [PortMappingDto],
    description: 'Port mappings from the host to the first control plane',
  })
  @Optional()
  @NotTogetherWith('config')
  @DistinctHostPorts()
  @IsArray({ message: 'must be a list' })
  @ArrayMaxSize(50, { message: 'must have at most 50 entries' })
  // ValidateNested alone would also accept the elements of a nested list.
  @IsObject({ each: true, message: 'must be a list of port mappings' })
  @ValidateNested({ each: true, message: 'must be a list of port mappings' })
  @Type(() => PortMappingDto)
  port_mappings?: PortMappingDto[];

  @ApiPropertyOptional({ type: [MountDto], description: 'Folders of the host to mount in every node' })
  @Optional()
  @NotTogetherWith('config')
  @IsArray({ message: 'must be a list' })
  @ArrayMaxSize(20, { message: 'must have at most 20 entries' })
  @DistinctContainerPaths()
  @IsObject({ each: true, message: 'must be a list of mounts' })
  @ValidateNested({ each: true, message: 'must be a list of mounts' })
  @Type(() => MountDto)
  mounts?: MountDto[];

  @OptionalText({ description: 'Container engine. Defaults to the active one.', example: 'docker' })
  @Matches(RUNTIME_ID, { message: 'must be the name of a runtime, such as docker' })
  runtime?: string;

  @OptionalText({
    description:
      'A complete kind config (v1alpha4, YAML) instead of workers, control_planes, port_mappings and mounts',
    maxLength: MAX_CONFIG_LENGTH,
  })
  config?: string;

  @Flag({
    description: 'Confirms the access of `config` to the host (mounts, patches, foreign images)',
  })
  accept_host_access?: boolean;

  @Flag({
    description:
      'Creates nodes of Kubernetes 1.35 or later on a host with cgroup v1, where they are not expected to start',
  })
  accept_cgroup_v1?: boolean;

  @ApiPropertyOptional({
    description:
      'Addons of the catalog to install once the cluster is ready: names, or objects with values. A failed installation is a warning and does not fail the job.',
    type: [ChosenAddonDto],
    example: [{ addon: 'metrics-server' }],
  })
  @Optional()
  @Transform(({ value }: { value: unknown }) =>
    Array.isArray(value)
      ? value.map((one: unknown) =>
          // ValidateNested needs instances, and Transform runs after Type.
          typeof one === 'string' ? plainToInstance(ChosenAddonDto, { addon: one }) : one,
        )
      : value,
  )
  @IsArray({ message: 'must be a list of addons' })
  @ArrayMaxSize(MAX_ADDONS, { message: `must have at most ${MAX_ADDONS} entries` })
  @ArrayUnique((one: ChosenAddonDto | null) => one?.addon, { message: 'must name each addon once' })
  @IsObject({ each: true, message: 'must be a list of addons' })
  @ValidateNested({ each: true, message: 'must be a list of addons' })
  @Type(() => ChosenAddonDto)
  addons?: ChosenAddonDto[];

  @Flag({ description: 'Keep the nodes of a failed creation for troubleshooting' })
  keep_on_failure?: boolean;
}
