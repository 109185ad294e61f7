import { Matches } from 'class-validator';
import {
  Field,
  NestedField,
  NullableField,
  OptionalText,
  RuntimeQuery,
  RuntimeQueryDto,
  Text,
} from '../../../core/api/index.js';
import { CHART_NAME, CHART_VERSION } from '../../../drivers/package-manager/index.js';
import { REPOSITORY_NAME } from './addon.js';

export class RepositoryDto {
  @Field({ example: 'bitnami' })
  name!: string;

  @Field({ example: 'https://charts.bitnami.com/bitnami' })
  url!: string;

  @NullableField(String, { description: 'The password is never returned', example: null })
  username!: string | null;

  @Field({ example: '2026-11-21T09:40:48.102Z', format: 'date-time' })
  created_at!: string;
}

export class AddRepositoryDto {
  @Text({ description: 'Lowercase letters, digits and hyphens, up to 40', example: 'bitnami' })
  @Matches(REPOSITORY_NAME, {
    message: 'must be 1 to 40 lowercase letters, digits and hyphens, such as bitnami',
  })
  name!: string;

  @Text({
    description: 'An https:// URL of a chart index, or an oci:// URL of a registry folder',
    example: 'https://charts.bitnami.com/bitnami',
    maxLength: 500,
  })
  url!: string;

  @OptionalText({
    example: 'reader',
    description: 'User name, if the repository requires one',
    maxLength: 200,
  })
  @Matches(/^[^\0\r\n:]+$/, { message: 'must be a single line without a colon' })
  username?: string;

  @OptionalText({
    example: 'correct-horse-battery-staple',
    description: 'Stored encrypted and never returned',
    maxLength: 4000,
  })
  @Matches(/^[^\0\r\n]+$/, { message: 'must be a single line' })
  password?: string;
}

class OfferedVersionDto {
  @Field({ example: '41.3.0' })
  version!: string;

  @NullableField(String, { example: 'v3.7.11' })
  app_version!: string | null;
}

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
  @OptionalText({ description: 'Text to search for in names and descriptions', maxLength: 100 })
  search?: string;
}

/** Selects a chart: a catalog entry, or a chart in a repository. */
export class ChartQueryDto {
  @OptionalText({ description: 'Name of a catalog entry', example: 'traefik' })
  @Matches(REPOSITORY_NAME, { message: 'must be the name of a catalog entry, such as traefik' })
  addon?: string;

  @OptionalText({ description: 'Name of a chart in `repository`', example: 'nginx' })
  @Matches(CHART_NAME, { message: 'must be a chart name, such as nginx' })
  chart?: string;

  @OptionalText({ description: 'Name of a chart repository, or `uploaded`', example: 'bitnami' })
  @Matches(REPOSITORY_NAME, { message: 'must be a repository name, such as bitnami' })
  repository?: string;

  @OptionalText({
    description: 'Chart version. Defaults to the pinned version of the catalog entry, or else the newest',
    example: '41.3.0',
  })
  @Matches(CHART_VERSION, { message: 'must be a version, such as 41.3.0' })
  version?: string;
}

export class ChartDetailsQueryDto extends ChartQueryDto {
  @RuntimeQuery()
  runtime?: string;
}

export class ChartDto {
  @Field({ example: 'traefik' })
  chart!: string;

  @Field({ example: '41.3.0' })
  version!: string;

  @NullableField(String, { example: 'v3.7.11' })
  app_version!: string | null;

  @Field({ example: 'A cloud-native ingress controller' })
  description!: string;

  @NullableField(String, { example: '>=1.25.0-0' })
  kubernetes!: string | null;

  @NullableField(String, {
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

  @Field({
    nullable: true,
    description: 'values.schema.json of the chart',
    type: 'object',
    additionalProperties: true,
  })
  schema!: object | null;

  @Field({ type: [String], description: 'Dependencies of the chart' })
  dependencies!: string[];

  @Field({ type: [String], description: 'Notes to read before the installation' })
  notes!: string[];

  @Field({ description: 'Default namespace', example: 'traefik' })
  namespace!: string;

  @Field({ description: 'Default release name', example: 'traefik' })
  release!: string;
}
