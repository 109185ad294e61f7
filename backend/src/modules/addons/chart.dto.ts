import { ApiProperty, ApiPropertyOptional, IntersectionType } from '@nestjs/swagger';
import { IsString, Matches, MaxLength } from 'class-validator';
import { Field, NestedField, OpenField, Optional } from '../../core/api/index.js';
import { RuntimeQueryDto } from '../clusters/index.js';
import { CHART_NAME, CHART_VERSION, REPOSITORY_NAME } from './addon.js';

/** A place of charts: one of one's own, or that of uploaded ones. */
export class RepositoryDto {
  @Field({ example: 'bitnami' })
  name!: string;

  @Field({ example: 'https://charts.bitnami.com/bitnami' })
  url!: string;

  @Field({ type: String, nullable: true, description: 'The password is never told', example: null })
  username!: string | null;

  @Field({ example: '2026-11-21T09:40:48.102Z', format: 'date-time' })
  created_at!: string;
}

export class AddRepositoryDto {
  @ApiProperty({ description: 'Small letters, digits and hyphens, up to 40', example: 'bitnami' })
  @IsString({ message: 'must be text' })
  @Matches(REPOSITORY_NAME, {
    message: 'must be 1 to 40 small letters, digits and hyphens, such as bitnami',
  })
  name!: string;

  @ApiProperty({
    description: 'https:// for an index of charts, or oci:// for the folder of a registry',
    example: 'https://charts.bitnami.com/bitnami',
  })
  @IsString({ message: 'must be text' })
  @MaxLength(500, { message: 'must have at most 500 characters' })
  url!: string;

  @ApiPropertyOptional({ example: 'reader', description: 'Where the repository asks for one' })
  @Optional()
  @IsString({ message: 'must be text' })
  @MaxLength(200, { message: 'must have at most 200 characters' })
  @Matches(/^[^\0\r\n:]+$/, { message: 'must be one line without a colon' })
  username?: string;

  @ApiPropertyOptional({
    example: 'what the repository gave you',
    description: 'Kept encrypted, and never told again',
  })
  @Optional()
  @IsString({ message: 'must be text' })
  @MaxLength(4000, { message: 'must have at most 4000 characters' })
  @Matches(/^[^\0\r\n]+$/, { message: 'must be one line' })
  password?: string;
}

export class OfferedVersionDto {
  @Field({ example: '41.3.0' })
  version!: string;

  @Field({ type: String, nullable: true, example: 'v3.7.11' })
  app_version!: string | null;
}

/** A chart that a repository offers. */
export class OfferedChartDto {
  @Field({ example: 'uploaded', description: 'Name of the repository, or `uploaded`' })
  repository!: string;

  @Field({ example: 'traefik' })
  chart!: string;

  @Field({ example: 'A cloud-native ingress controller' })
  description!: string;

  @NestedField(() => OfferedVersionDto, { isArray: true, description: 'The newest first, at most 50' })
  versions!: OfferedVersionDto[];
}

export class OfferedChartsDto {
  @NestedField(() => OfferedChartDto, { isArray: true })
  charts!: OfferedChartDto[];

  @Field({ description: 'How many there are, of which at most 200 are told', example: 12 })
  total!: number;
}

export class OfferedChartsQueryDto extends RuntimeQueryDto {
  @ApiPropertyOptional({ description: 'Only those whose name or description has this text' })
  @Optional()
  @IsString({ message: 'must be given once, as text' })
  @MaxLength(100, { message: 'must have at most 100 characters' })
  search?: string;
}

/** Names a chart: an entry of the catalogue, or a chart of a repository. */
export class ChartQueryDto {
  @ApiPropertyOptional({ description: 'An entry of the catalogue', example: 'traefik' })
  @Optional()
  @IsString({ message: 'must be text' })
  @Matches(REPOSITORY_NAME, { message: 'must be the name of an entry of the catalogue, such as traefik' })
  addon?: string;

  @ApiPropertyOptional({ description: 'A chart of `repository`', example: 'nginx' })
  @Optional()
  @IsString({ message: 'must be text' })
  @Matches(CHART_NAME, { message: 'must be the name of a chart, such as nginx' })
  chart?: string;

  @ApiPropertyOptional({ description: 'A repository of one’s own, or `uploaded`', example: 'bitnami' })
  @Optional()
  @IsString({ message: 'must be text' })
  @Matches(REPOSITORY_NAME, { message: 'must be the name of a repository, such as bitnami' })
  repository?: string;

  @ApiPropertyOptional({
    description: 'Version of the chart; for the catalogue its pinned one, else the newest',
    example: '41.3.0',
  })
  @Optional()
  @IsString({ message: 'must be text' })
  @Matches(CHART_VERSION, { message: 'must be a whole version, such as 41.3.0' })
  version?: string;
}

/** The same in an address. */
export class ChartDetailsQueryDto extends IntersectionType(ChartQueryDto, RuntimeQueryDto) {}

/** A chart with what its values may be. */
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
    description: 'Why it does not fit this cluster; null where it does',
    example: null,
  })
  unfit!: string | null;

  @Field({ example: 'replicas: 1\n', description: 'The chart’s own values.yaml, comments kept' })
  default_values!: string;

  @Field({
    example: 'service:\n  spec:\n    type: NodePort\n',
    description: 'What the form begins with: for the catalogue its values for kind, else nothing',
  })
  values!: string;

  @OpenField({
    nullable: true,
    description: 'values.schema.json of the chart',
    type: 'object',
    additionalProperties: true,
  })
  schema!: object | null;

  @Field({ isArray: true, type: String, description: 'Charts that it brings along' })
  dependencies!: string[];

  @Field({ isArray: true, type: String, description: 'What to know before it is installed' })
  notes!: string[];

  @Field({ description: 'Namespace that is proposed', example: 'traefik' })
  namespace!: string;

  @Field({ description: 'Release name that is proposed', example: 'traefik' })
  release!: string;
}
