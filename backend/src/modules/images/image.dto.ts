import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { ArrayMaxSize, ArrayMinSize, IsArray, IsString, Matches } from 'class-validator';
import { Field, NestedField, Optional } from '../../core/api/index.js';
import { IMAGE_REFERENCE, NODE_NAME } from '../../core/security/index.js';

/** Images that one request may name: a job of more could not be followed. */
const MAX_IMAGES = 50;
/** Most nodes of one cluster, load balancer left out. */
const MAX_NODES = 25;

export class ImageUserDto {
  @Field({ example: 'staging' })
  name!: string;

  @Field({ example: 'docker' })
  runtime!: string;
}

export class EngineImageDto {
  @Field({ example: 'sha256:9f2c…', description: 'By which the engine knows it' })
  id!: string;

  @Field({
    type: [String],
    description: 'Its names as the engine spells them; none where another image took its tag',
    example: ['shop/web:1.4.0'],
  })
  references!: string[];

  @Field({
    type: [String],
    description: 'Repository and digest, where it came from or went to a registry',
    example: ['kindest/node@sha256:…'],
  })
  digests!: string[];

  @Field({ description: 'Unpacked, with layers that other images share', example: 84213760 })
  size_bytes!: number;

  @Field({ type: String, nullable: true, example: '2026-11-20T08:30:00.000Z' })
  created_at!: string | null;

  @Field({ type: String, nullable: true, description: 'Where the engine tells it', example: 'amd64' })
  architecture!: string | null;

  @Field({ description: 'Whether it is an image that nodes are made from' })
  is_node_image!: boolean;

  @NestedField(() => ImageUserDto, {
    isArray: true,
    description: 'Clusters whose nodes were made from it, in any engine, also those that are stopped',
  })
  used_by!: ImageUserDto[];

  @Field({
    type: [String],
    description: 'What one should know before a pod uses it in a cluster',
    example: ['shop/worker:latest: …'],
  })
  warnings!: string[];
}

export class NodeImageDto {
  @Field({ type: String, example: 'sha256:9f2c…' })
  id!: string;

  @Field({
    type: [String],
    description: 'The whole names, as a pod may use them',
    example: ['docker.io/shop/web:1.4.0'],
  })
  references!: string[];

  @Field({ description: 'As the node counts it', example: 31457280 })
  size_bytes!: number;

  @Field({ description: 'Whether it came with the node: Kubernetes itself, its network and storage' })
  part_of_kubernetes!: boolean;

  @Field({ type: [String], description: 'Nodes that hold it', example: ['staging-control-plane'] })
  nodes!: string[];
}

export class ImageNodeDto {
  @Field({ example: 'staging-worker' })
  name!: string;

  @Field({
    type: String,
    nullable: true,
    description: 'Why its images could not be listed',
    example: 'it is paused',
  })
  reason!: string | null;
}

export class ClusterImagesDto {
  @NestedField(() => ImageNodeDto, { isArray: true })
  nodes!: ImageNodeDto[];

  @NestedField(() => NodeImageDto, { isArray: true, description: 'What the nodes that answered hold' })
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
  @ArrayMinSize(1, { message: 'must name at least one image' })
  @ArrayMaxSize(MAX_IMAGES, { message: `must name ${MAX_IMAGES} images at most` })
  @IsString({ each: true, message: 'must be a list of images' })
  @Matches(IMAGE_REFERENCE, {
    each: true,
    message: 'must be names of images with their tags, such as shop/web:1.4.0',
  })
  images!: string[];

  @ApiPropertyOptional({
    description: 'Only into these nodes; into all of them where it is left out',
    example: ['staging-worker'],
    type: [String],
    maxItems: MAX_NODES,
  })
  @Optional()
  @IsArray({ message: 'must be a list of nodes' })
  @ArrayMinSize(1, { message: 'must name at least one node, or be left out' })
  @ArrayMaxSize(MAX_NODES, { message: `must name ${MAX_NODES} nodes at most` })
  @IsString({ each: true, message: 'must be a list of nodes' })
  @Matches(NODE_NAME, { each: true, message: 'must be names of nodes, such as staging-worker' })
  nodes?: string[];
}
