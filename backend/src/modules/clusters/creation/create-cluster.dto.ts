import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { plainToInstance, Transform, Type } from 'class-transformer';
import {
  ArrayMaxSize,
  ArrayUnique,
  IsArray,
  IsIn,
  IsInt,
  IsIP,
  IsObject,
  IsString,
  Matches,
  Max,
  Min,
  ValidateIf,
  ValidateNested,
} from 'class-validator';
import { Flag, Integer, Optional, OptionalInteger, OptionalText, Text } from '../../../core/api/index.js';
import {
  CLUSTER_NAME,
  MAX_CONTROL_PLANES,
  MAX_WORKERS,
  NODE_IMAGE_TAG,
  RUNTIME_ID,
} from '../../../core/security/index.js';
import {
  DistinctContainerPaths,
  DistinctHostPorts,
  IsNewClusterName,
  NotReservedPath,
  NotTogetherWith,
} from './cluster.validators.js';
import { MAX_CONFIG_LENGTH } from '../../kind-config/index.js';

const ADDON_NAME = /^[a-z0-9]([a-z0-9-]{0,38}[a-z0-9])?$/;
/** More than the catalogue has. */
const MAX_ADDONS = 20;
/** All of them together stay under the bound of a body. */
const MAX_ADDON_VALUES = 50_000;
const PROTOCOLS = ['TCP', 'UDP', 'SCTP'] as const;

export class PortMappingDto {
  @Integer({ description: 'Port inside the node', minimum: 1, maximum: 65535, example: 80 })
  container_port!: number;

  @Integer({ description: 'Port of this machine', minimum: 1, maximum: 65535, example: 8080 })
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
  @Text({ description: 'Absolute path on this machine', example: '/home/me/code', maxLength: 1000 })
  @Matches(/^\/[^\0\n\r:]*$/, { message: 'must be an absolute path without a colon' })
  host_path!: string;

  @Text({ description: 'Absolute path inside every node', example: '/code', maxLength: 1000 })
  @Matches(/^\/[^\0\n\r:]*$/, { message: 'must be an absolute path without a colon' })
  @NotReservedPath()
  container_path!: string;

  @Flag()
  read_only: boolean = false;
}

/** An addon of the catalogue that is installed once the cluster is ready. */
export class ChosenAddonDto {
  @Text({ description: 'An entry of the catalogue', example: 'metrics-server' })
  @Matches(ADDON_NAME, { message: 'must be the name of an entry of the catalogue, such as metrics-server' })
  addon!: string;

  @OptionalText({
    description: 'YAML over the chart’s own values; without it the catalogue’s',
    example: 'replicas: 2\n',
    maxLength: MAX_ADDON_VALUES,
  })
  values?: string;
}

export class CreateClusterDto {
  @ApiProperty({
    description: 'Small letters, digits and hyphens, up to 40',
    pattern: CLUSTER_NAME.source,
    example: 'staging',
  })
  @IsNewClusterName()
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

  @OptionalInteger({
    description: 'Control planes; more than one get a load balancer',
    minimum: 1,
    maximum: MAX_CONTROL_PLANES,
    default: 1,
  })
  @NotTogetherWith('config')
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

  @OptionalText({ description: 'Which engine; without it the active one', example: 'docker' })
  @Matches(RUNTIME_ID, { message: 'must be the name of a runtime, such as docker' })
  runtime?: string;

  @OptionalText({
    description:
      'A whole kind config (v1alpha4, YAML) in place of workers, control_planes, port_mappings and mounts',
    maxLength: MAX_CONFIG_LENGTH,
  })
  config?: string;

  @Flag({
    description:
      'Whether what `config` reaches on this machine (mounts, patches, foreign images) was seen and is wanted',
  })
  accept_host_access?: boolean;

  @ApiPropertyOptional({
    description:
      'Addons of the catalogue to install once the cluster is ready: names, or names with values. One that fails is a warning of the job; the cluster stays.',
    type: [ChosenAddonDto],
    example: [{ addon: 'metrics-server' }],
  })
  @Optional()
  @Transform(({ value }: { value: unknown }) =>
    Array.isArray(value)
      ? value.map((one: unknown) =>
          // A check of what is inside is for what has a class: this comes after others were given theirs.
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

  @Flag({ description: 'Keep the nodes if creation fails, to look into them' })
  keep_on_failure?: boolean;
}
