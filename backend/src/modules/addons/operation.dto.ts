import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsBoolean, IsInt, IsString, Matches, Max, MaxLength, Min } from 'class-validator';
import { Field, Optional, RuntimeQueryDto } from '../../core/api/index.js';
import { queryFlag } from '../../core/api/query-flag.js';
import { MAX_VALUES_LENGTH, NAMESPACE_NAME, RELEASE_NAME } from './addon.js';
import { ChartQueryDto } from './chart.dto.js';

const NAMESPACE_PROBLEM =
  'must be 1 to 63 lowercase letters, digits and hyphens, and start and end with a letter or digit, such as monitoring';

export class InstalledQueryDto extends RuntimeQueryDto {
  @ApiPropertyOptional({
    type: Boolean,
    default: false,
    description: 'Count the ready resources of each release, which takes longer',
  })
  @Optional()
  @Transform(queryFlag)
  @IsBoolean({ message: 'must be true or false' })
  resources?: boolean;
}

/** Selects a release. Its name may exist in several namespaces. */
export class ReleaseQueryDto extends RuntimeQueryDto {
  @ApiPropertyOptional({
    description: 'Required if the name exists in several namespaces',
    example: 'kube-system',
  })
  @Optional()
  @IsString({ message: 'must be a single string' })
  @Matches(NAMESPACE_NAME, { message: NAMESPACE_PROBLEM })
  namespace?: string;
}

/** Selects the chart by `addon`, or by `repository` and `chart`. There is no field for a password of an addon. */
class OperationDto extends ChartQueryDto {
  @ApiPropertyOptional({
    description: 'YAML that overrides the chart defaults',
    example: 'replicas: 2\n',
    maxLength: MAX_VALUES_LENGTH,
  })
  @Optional()
  @IsString({ message: 'must be a string' })
  @MaxLength(MAX_VALUES_LENGTH, { message: `must have at most ${MAX_VALUES_LENGTH} characters` })
  values?: string;

  @ApiPropertyOptional({ description: 'Return the diff without changing anything', default: false })
  @Optional()
  @IsBoolean({ message: 'must be true or false' })
  dry_run?: boolean;

  @ApiPropertyOptional({
    description: 'Keep a failed release for debugging. A cancelled operation is always reverted',
    default: false,
  })
  @Optional()
  @IsBoolean({ message: 'must be true or false' })
  keep_on_failure?: boolean;

  @ApiPropertyOptional({
    description: 'Seconds to wait until the release is ready',
    default: 600,
    minimum: 10,
    maximum: 3600,
  })
  @Optional()
  @IsInt({ message: 'must be an integer from 10 to 3600' })
  @Min(10, { message: 'must be an integer from 10 to 3600' })
  @Max(3600, { message: 'must be an integer from 10 to 3600' })
  timeout_seconds?: number;
}

export class InstallAddonDto extends OperationDto {
  @ApiPropertyOptional({
    description: 'Defaults to the release name of the catalog entry, or else the chart name',
    pattern: RELEASE_NAME.source,
    example: 'traefik',
  })
  @Optional()
  @IsString({ message: 'must be a string' })
  @Matches(RELEASE_NAME, {
    message:
      'must be 1 to 53 lowercase letters, digits and hyphens, and start and end with a letter or digit, such as traefik',
  })
  release?: string;

  @ApiPropertyOptional({
    description:
      'Created if it does not exist. Defaults to the namespace of the catalog entry, or else the release name',
    pattern: NAMESPACE_NAME.source,
    example: 'traefik',
  })
  @Optional()
  @IsString({ message: 'must be a string' })
  @Matches(NAMESPACE_NAME, { message: NAMESPACE_PROBLEM })
  namespace?: string;
}

/** Fields that are not set keep the chart and values of the release. */
export class UpgradeAddonDto extends OperationDto {}

export class RollbackAddonDto {
  @ApiProperty({ description: 'A revision of the history', example: 1, minimum: 1 })
  @IsInt({ message: 'must be a positive integer' })
  @Min(1, { message: 'must be a positive integer' })
  @Max(1_000_000, { message: 'must be a positive integer' })
  revision!: number;

  @ApiPropertyOptional({ description: 'Return the diff without changing anything', default: false })
  @Optional()
  @IsBoolean({ message: 'must be true or false' })
  dry_run?: boolean;
}

export class ForwardRequestDto {
  @ApiPropertyOptional({
    description: 'A Service of the release. By default, the one that most likely serves a web page',
    example: 'kiali',
  })
  @Optional()
  @IsString({ message: 'must be a string' })
  @Matches(NAMESPACE_NAME, { message: 'must be the name of a Service' })
  service?: string;

  @ApiPropertyOptional({ description: 'A port of that Service', example: 20001 })
  @Optional()
  @IsInt({ message: 'must be a port number' })
  @Min(1, { message: 'must be a port number' })
  @Max(65535, { message: 'must be a port number' })
  port?: number;
}

/** A port-forward to the web page of a Service. It lives until it is closed or the cluster stops. */
export class ForwardDto {
  @Field({ example: '5f0c2d1e9a7b' })
  id!: string;

  @Field({ example: 'kiali' })
  release!: string;

  @Field({ example: 'istio-system' })
  namespace!: string;

  @Field({ example: 'kiali' })
  service!: string;

  @Field({ example: 20001 })
  port!: number;

  @Field({
    description:
      'URL of the page, for browsers on the host that runs Slipway. The response to opening it contains a link that admits one browser, once, within a minute; lists contain the URL without a key.',
    example: 'http://127.0.0.1:43127',
  })
  url!: string;

  @Field({ example: 43127 })
  local_port!: number;

  @Field({ format: 'date-time', example: '2026-11-21T09:40:48.102Z' })
  created_at!: string;

  @Field({ description: 'Open connections', example: 2 })
  connections!: number;

  @Field({ type: String, nullable: true, description: 'Why the last connection failed', example: null })
  problem!: string | null;
}
