import { ApiPropertyOptional } from '@nestjs/swagger';
import { ArrayMaxSize, IsArray, IsString, Matches } from 'class-validator';
import { Field, NestedField, NullableField, Optional, Text } from '../../../core/api/index.js';
import { RUNTIME_ID } from '../../../core/security/index.js';
import { ImageUserDto } from './image.dto.js';

const MAX_PRUNED = 200;
const IMAGE_ID = /^sha256:[0-9a-f]{64}$/;
/** kind creates anonymous volumes, which have random names. */
export const NODE_VOLUME = /^[0-9a-f]{64}$/;

export class NodeImageUsageDto {
  @Field({ example: 'sha256:9f2c…' })
  id!: string;

  @Field({ type: [String], example: ['docker.io/kindest/node:v1.34.4'] })
  references!: string[];

  @Field({ example: 1388683921 })
  size_bytes!: number;

  @NestedField(() => ImageUserDto, { isArray: true, description: 'Clusters of any engine that use it' })
  used_by!: ImageUserDto[];

  @Field({ description: 'Whether a prune may remove it' })
  removable!: boolean;
}

export class NodeVolumeUsageDto {
  @Field({ example: '4f1d2c…' })
  name!: string;

  @Field({ description: 'Node that uses or used it', example: 'staging-worker' })
  node!: string;

  @NullableField(String, { description: 'Cluster of the node that uses it', example: 'staging' })
  cluster!: string | null;

  @NullableField(Number, { description: 'Null if it is not measured', example: 412000000 })
  size_bytes!: number | null;

  @NullableField(String, { example: '2026-11-20T08:30:00.000Z' })
  created_at!: string | null;

  @Field({ description: 'Whether a prune may remove it' })
  removable!: boolean;
}

export class DiskUsageDto {
  @Field({ example: 'podman' })
  runtime!: string;

  @NullableField(String, { description: 'Why the engine is unavailable', example: null })
  reason!: string | null;

  @NestedField(() => NodeImageUsageDto, { isArray: true })
  node_images!: NodeImageUsageDto[];

  @NestedField(() => NodeVolumeUsageDto, {
    isArray: true,
    description: 'Volumes of existing nodes, and of deleted nodes if they can be identified',
  })
  volumes!: NodeVolumeUsageDto[];

  @Field({ description: 'Whether the engine is still measuring its volumes. Retry later for the sizes' })
  measuring!: boolean;

  @Field({
    description:
      'Maximum disk space that a prune of everything removable would free. Images may share layers',
    example: 1388683921,
  })
  freeable_bytes!: number;

  @NullableField(Number, {
    description: 'Size of the disk with the images; null if it is not on this machine',
    example: 512000000000,
  })
  disk_total_bytes!: number | null;

  @NullableField(Number, { example: 210000000000 })
  disk_free_bytes!: number | null;
}

export class PruneDto {
  @Text({ description: 'Engine', example: 'podman' })
  @Matches(RUNTIME_ID, { message: 'must be the name of a runtime, such as docker' })
  runtime!: string;

  @ApiPropertyOptional({
    type: [String],
    description: 'Ids of node images to remove',
    maxItems: MAX_PRUNED,
    example: [],
  })
  @Optional()
  @IsArray({ message: 'must be a list of image ids' })
  @ArrayMaxSize(MAX_PRUNED, { message: `must contain at most ${MAX_PRUNED} images` })
  @IsString({ each: true, message: 'must be a list of image ids' })
  @Matches(IMAGE_ID, { each: true, message: 'must be image ids from GET /images/usage' })
  images: string[] = [];

  @ApiPropertyOptional({
    type: [String],
    description: 'Names of node volumes to remove',
    maxItems: MAX_PRUNED,
    example: [],
  })
  @Optional()
  @IsArray({ message: 'must be a list of volumes' })
  @ArrayMaxSize(MAX_PRUNED, { message: `must contain at most ${MAX_PRUNED} volumes` })
  @IsString({ each: true, message: 'must be a list of volumes' })
  @Matches(NODE_VOLUME, { each: true, message: 'must be volume names from GET /images/usage' })
  volumes: string[] = [];
}
