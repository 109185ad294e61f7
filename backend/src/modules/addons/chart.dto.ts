import { ApiProperty, ApiPropertyOptional, IntersectionType } from '@nestjs/swagger';
import { IsString, Matches, MaxLength } from 'class-validator';
import { Field, NestedField, OpenField, Optional, RuntimeQueryDto } from '../../core/api/index.js';
import { CHART_NAME, CHART_VERSION, REPOSITORY_NAME } from './addon.js';

/** A chart repository. */
export class RepositoryDto {
  @Field({ example: 'bitnami' })
  name!: string;

  @Field({ example: 'https://charts.bitnami.com/bitnami' })
  url!: string;

  @Field({ type: String, nullable: true, description: 'The password is never returned', example: null })
  username!: string | null;

  @Field({ example: '2026-11-21T09:40:48.102Z', format: 'date-time' })
  created_at!: string;
}

export class AddRepositoryDto {
  @ApiProperty({ description: 'Lowercase letters, digits and hyphens, up to 40', example: 'bitnami' })
  @IsString({ message: 'must be a string' })
  @Matches(REPOSITORY_NAME, {
    message: 'must be 1 to 40 lowercase letters, digits and hyphens, such as bitnami',
  })
  name!: string;

  @ApiProperty({
    description: 'An https:// URL of a chart index, or an oci:// URL of a registry folder',
    example: 'https://charts.bitnami.com/bitnami',
  })
  @IsString({ message: 'must be a string' })
  @MaxLength(500, { message: 'must not be longer than 500 characters' })
  url!: string;

  @ApiPropertyOptional({ example: 'reader', description: 'User name, if the repository requires one' })
  @Optional()
  @IsString({ message: 'must be a string' })
  @MaxLength(200, { message: 'must not be longer than 200 characters' })
  @Matches(/^[^\0\r\n:]+$/, { message: 'must be a single line without a colon' })
  username?: string;

  @ApiPropertyOptional({
    example: 'correct-horse-battery-staple',
    description: 'Stored encrypted and never returned',
  })
  @Optional()
  @IsString({ message: 'must be a string' })
  @MaxLength(4000, { message: 'must not be longer than 4000 characters' })
  @Matches(/^[^\0\r\n]+$/, { message: 'must be a single line' })
  password?: string;
}

class OfferedVersionDto {
  @Field({ example: '41.3.0' })
  version!: string;

  @Field({ type: String, nullable: true, example: 'v3.7.11' })
  app_version!: string | null;
}

/** A chart in a repository. */
class OfferedChartDto {
  @Field({ example: 'uploaded', description: 'Name of the repository, or `uploaded`' })
  repository!: string;

  @Field({ example: 'traefik' })
  chart!: string;

  @Field({ example: 'A cloud-native ingress controller' })
  description!: string;

  @NestedField(() => OfferedVersionDto, { isArray: true, description: 'Newest first, at most 50' })
  versions!: OfferedVersionDto[];
}

export class OfferedChartsDto {
  @NestedField(() => OfferedChartDto, { isArray: true })
  charts!: OfferedChartDto[];

  @Field({ description: 'Number of matching charts; at most 200 are returned', example: 12 })
  total!: number;
}

export class OfferedChartsQueryDto extends RuntimeQueryDto {
  @ApiPropertyOptional({ description: 'Text to search for in names and descriptions' })
  @Optional()
  @IsString({ message: 'must be a single string' })
  @MaxLength(100, { message: 'must not be longer than 100 characters' })
  search?: string;
}

/** Selects a chart: a catalog entry, or a chart in a repository. */
export class ChartQueryDto {
  @ApiPropertyOptional({ description: 'Name of a catalog entry', example: 'traefik' })
  @Optional()
  @IsString({ message: 'must be a string' })
  @Matches(REPOSITORY_NAME, { message: 'must be the name of a catalog entry, such as traefik' })
  addon?: string;

  @ApiPropertyOptional({ description: 'Name of a chart in `repository`', example: 'nginx' })
  @Optional()
  @IsString({ message: 'must be a string' })
  @Matches(CHART_NAME, { message: 'must be a chart name, such as nginx' })
  chart?: string;

  @ApiPropertyOptional({ description: 'Name of a chart repository, or `uploaded`', example: 'bitnami' })
  @Optional()
  @IsString({ message: 'must be a string' })
  @Matches(REPOSITORY_NAME, { message: 'must be a repository name, such as bitnami' })
  repository?: string;

  @ApiPropertyOptional({
    description: 'Chart version. Defaults to the pinned version of the catalog entry, or else the newest',
    example: '41.3.0',
  })
  @Optional()
  @IsString({ message: 'must be a string' })
  @Matches(CHART_VERSION, { message: 'must be a full version, such as 41.3.0' })
  version?: string;
}

export class ChartDetailsQueryDto extends IntersectionType(ChartQueryDto, RuntimeQueryDto) {}

/** A chart with its default values and schema. */
export class ChartDto {
  @Field({ example: 'traefik' })
  chart!: string;

  @Field({ example: '41.3.0' })
  version!: string;

  @Field({ type: String, nullable: true, example: 'v3.7.11' })
  app_version!: string | null;

  @Field({ example: 'A cloud-native ingress controller' })
  description!: string;

  @Field({ type: String, nullable: true, example: '>=1.25.0-0' })
  kubernetes!: string | null;

  @Field({
    type: String,
    nullable: true,
    description: 'Why the chart does not support the Kubernetes version of the cluster; null if it does',
    example: null,
  })
  unfit!: string | null;

  @Field({ example: 'replicas: 1\n', description: 'values.yaml of the chart, with comments' })
  default_values!: string;

  @Field({
    example: 'service:\n  spec:\n    type: NodePort\n',
    description: 'Default values for a kind cluster, for a catalog entry; empty otherwise',
  })
  values!: string;

  @OpenField({
    nullable: true,
    description: 'values.schema.json of the chart',
    type: 'object',
    additionalProperties: true,
  })
  schema!: object | null;

  @Field({ isArray: true, type: String, description: 'Dependencies of the chart' })
  dependencies!: string[];

  @Field({ isArray: true, type: String, description: 'Notes to read before the installation' })
  notes!: string[];

  @Field({ description: 'Default namespace', example: 'traefik' })
  namespace!: string;

  @Field({ description: 'Default release name', example: 'traefik' })
  release!: string;
}
