import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { ArrayMaxSize, IsArray, IsString, Matches } from 'class-validator';
import { Field, NestedField, Optional } from '../../core/api/index.js';
import { RUNTIME_ID } from '../../core/security/index.js';
import { ImageUserDto } from './image.dto.js';

/** Images, and volumes, that one request may name. */
const MAX_PRUNED = 200;
const IMAGE_ID = /^sha256:[0-9a-f]{64}$/;
/** Volumes of nodes have names by chance; one that a person named is never among them. */
export const NODE_VOLUME = /^[0-9a-f]{64}$/;

export class NodeImageUsageDto {
  @Field({ example: 'sha256:9f2c…' })
  id!: string;

  @Field({ type: [String], example: ['docker.io/kindest/node:v1.34.4'] })
  references!: string[];

  @Field({ example: 1388683921 })
  size_bytes!: number;

  @NestedField(() => ImageUserDto, { isArray: true, description: 'Clusters of any engine that need it' })
  used_by!: ImageUserDto[];

  @Field({ description: 'Whether a prune may remove it' })
  removable!: boolean;
}

export class NodeVolumeUsageDto {
  @Field({ example: '4f1d2c…' })
  name!: string;

  @Field({ description: 'Node that it is or was of', example: 'staging-worker' })
  node!: string;

  @Field({ type: String, nullable: true, description: 'Cluster whose node uses it', example: 'staging' })
  cluster!: string | null;

  @Field({
    type: Number,
    nullable: true,
    description: 'Null while it is not measured, or cannot be',
    example: 412000000,
  })
  size_bytes!: number | null;

  @Field({ type: String, nullable: true, example: '2026-11-20T08:30:00.000Z' })
  created_at!: string | null;

  @Field({ description: 'Whether a prune may remove it' })
  removable!: boolean;
}

export class DiskUsageDto {
  @Field({ example: 'podman' })
  runtime!: string;

  @Field({
    type: String,
    nullable: true,
    description: 'Why the engine could not be asked',
    example: null,
  })
  reason!: string | null;

  @NestedField(() => NodeImageUsageDto, { isArray: true })
  node_images!: NodeImageUsageDto[];

  @NestedField(() => NodeVolumeUsageDto, {
    isArray: true,
    description: 'Of nodes that are, and of nodes that are gone as far as they can be told from others',
  })
  volumes!: NodeVolumeUsageDto[];

  @Field({ description: 'Whether the engine is still measuring its volumes: ask again in a moment' })
  measuring!: boolean;

  @Field({
    description: 'What pruning everything that is removable would free, at most: images may share layers',
    example: 1388683921,
  })
  freeable_bytes!: number;
}

export class PruneDto {
  @ApiProperty({ description: 'The engine', example: 'podman' })
  @IsString({ message: 'must be text' })
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
  @ArrayMaxSize(MAX_PRUNED, { message: `must name ${MAX_PRUNED} images at most` })
  @IsString({ each: true, message: 'must be a list of image ids' })
  @Matches(IMAGE_ID, { each: true, message: 'must be ids of images, as GET /images/usage names them' })
  images: string[] = [];

  @ApiPropertyOptional({
    type: [String],
    description: 'Names of node volumes to remove',
    maxItems: MAX_PRUNED,
    example: [],
  })
  @Optional()
  @IsArray({ message: 'must be a list of volumes' })
  @ArrayMaxSize(MAX_PRUNED, { message: `must name ${MAX_PRUNED} volumes at most` })
  @IsString({ each: true, message: 'must be a list of volumes' })
  @Matches(NODE_VOLUME, {
    each: true,
    message: 'must be names of node volumes, as GET /images/usage names them',
  })
  volumes: string[] = [];
}
