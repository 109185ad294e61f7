import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { ArrayMaxSize, ArrayMinSize, IsArray, IsString, Matches } from 'class-validator';
import { Field, NestedField, NullableField, Optional } from '../../../core/api/index.js';
import { IMAGE_REFERENCE, NODE_NAME } from '../../../core/security/index.js';

const MAX_IMAGES = 50;
const MAX_NODES = 25;

export class ImageUserDto {
  @Field({ example: 'staging' })
  name!: string;

  @Field({ example: 'docker' })
  runtime!: string;
}

export class EngineImageDto {
  @Field({ example: 'sha256:9f2c…', description: 'Id in the engine' })
  id!: string;

  @Field({
    type: [String],
    description: 'Names in the engine; empty for an untagged image',
    example: ['shop/web:1.4.0'],
  })
  references!: string[];

  @Field({
    type: [String],
    description: 'Repository digests, if the image was pulled or pushed',
    example: ['kindest/node@sha256:…'],
  })
  digests!: string[];

  @Field({ description: 'Uncompressed size, including shared layers', example: 84213760 })
  size_bytes!: number;

  @NullableField(String, { example: '2026-11-20T08:30:00.000Z' })
  created_at!: string | null;

  @NullableField(String, { description: 'Null if the engine does not report it', example: 'amd64' })
  architecture!: string | null;

  @Field({ description: 'Whether it is a node image' })
  is_node_image!: boolean;

  @NestedField(() => ImageUserDto, {
    isArray: true,
    description: 'Clusters of any engine that use it, including stopped ones',
  })
  used_by!: ImageUserDto[];

  @Field({
    type: [String],
    description: 'Problems that Pods may have with the image',
    example: ['shop/worker:latest: …'],
  })
  warnings!: string[];
}

export class NodeImageDto {
  @Field({ type: String, example: 'sha256:9f2c…' })
  id!: string;

  @Field({
    type: [String],
    description: 'Full names, as a Pod may use them',
    example: ['docker.io/shop/web:1.4.0'],
  })
  references!: string[];

  @Field({ description: 'Size in the node', example: 31457280 })
  size_bytes!: number;

  @Field({ description: 'Whether it is part of the node image: Kubernetes, and its network and storage' })
  part_of_kubernetes!: boolean;

  @Field({ type: [String], description: 'Nodes that have it', example: ['staging-control-plane'] })
  nodes!: string[];
}

export class ImageNodeDto {
  @Field({ example: 'staging-worker' })
  name!: string;

  @NullableField(String, { description: 'Why the images could not be listed', example: 'the node is paused' })
  reason!: string | null;
}

export class ClusterImagesDto {
  @NestedField(() => ImageNodeDto, { isArray: true })
  nodes!: ImageNodeDto[];

  @NestedField(() => NodeImageDto, { isArray: true, description: 'Images of the available nodes' })
  images!: NodeImageDto[];
}

export class LoadImagesDto {
  @ApiProperty({
    description: 'Images of the cluster’s engine, by name and tag',
    example: ['shop/web:1.4.0'],
    type: [String],
    maxItems: MAX_IMAGES,
  })
  @IsArray({ message: 'must be a list of images' })
  @ArrayMinSize(1, { message: 'must contain at least one image' })
  @ArrayMaxSize(MAX_IMAGES, { message: `must contain at most ${MAX_IMAGES} images` })
  @IsString({ each: true, message: 'must be a list of images' })
  @Matches(IMAGE_REFERENCE, { each: true, message: 'must be image names with tags, such as shop/web:1.4.0' })
  images!: string[];

  @ApiPropertyOptional({
    description: 'Nodes to load into. Defaults to all nodes',
    example: ['staging-worker'],
    type: [String],
    maxItems: MAX_NODES,
  })
  @Optional()
  @IsArray({ message: 'must be a list of nodes' })
  @ArrayMinSize(1, { message: 'must contain at least one node, or be omitted' })
  @ArrayMaxSize(MAX_NODES, { message: `must contain at most ${MAX_NODES} nodes` })
  @IsString({ each: true, message: 'must be a list of nodes' })
  @Matches(NODE_NAME, { each: true, message: 'must be node names, such as staging-worker' })
  nodes?: string[];
}
