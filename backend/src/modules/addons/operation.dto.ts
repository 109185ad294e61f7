import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsBoolean, IsInt, IsString, Matches, Max, MaxLength, Min } from 'class-validator';
import { Field, Optional } from '../../core/api/index.js';
import { queryFlag } from '../../core/api/query-flag.js';
import { RuntimeQueryDto } from '../clusters/index.js';
import { MAX_VALUES_LENGTH, NAMESPACE_NAME, RELEASE_NAME } from './addon.js';
import { ChartQueryDto } from './chart.dto.js';

const NAMESPACE_PROBLEM =
  'must be 1 to 63 small letters, digits and hyphens, with a letter or digit at both ends, such as monitoring';

export class InstalledQueryDto extends RuntimeQueryDto {
  @ApiPropertyOptional({
    type: Boolean,
    default: false,
    description: 'Counts what is ready of each, which takes a moment for each',
  })
  @Optional()
  @Transform(queryFlag)
  @IsBoolean({ message: 'must be true or false' })
  resources?: boolean;
}

/** Tells two releases of one name apart, which may be in two namespaces. */
export class ReleaseQueryDto extends RuntimeQueryDto {
  @ApiPropertyOptional({ description: 'Where two releases are called so', example: 'kube-system' })
  @Optional()
  @IsString({ message: 'must be given once, as text' })
  @Matches(NAMESPACE_NAME, { message: NAMESPACE_PROBLEM })
  namespace?: string;
}

/** Names the chart by `addon`, or by `repository` and `chart`. There is no field for a password of an addon. */
class OperationDto extends ChartQueryDto {
  @ApiPropertyOptional({
    description: 'YAML over the chart’s own values',
    example: 'replicas: 2\n',
    maxLength: MAX_VALUES_LENGTH,
  })
  @Optional()
  @IsString({ message: 'must be text' })
  @MaxLength(MAX_VALUES_LENGTH, { message: `must have at most ${MAX_VALUES_LENGTH} characters` })
  values?: string;

  @ApiPropertyOptional({
    description: 'Changes nothing, and answers what would be changed',
    default: false,
  })
  @Optional()
  @IsBoolean({ message: 'must be true or false' })
  dry_run?: boolean;

  @ApiPropertyOptional({
    description: 'Leave what a failed operation made, to look into it; a cancelled one never leaves anything',
    default: false,
  })
  @Optional()
  @IsBoolean({ message: 'must be true or false' })
  keep_on_failure?: boolean;

  @ApiPropertyOptional({
    description: 'Seconds until it must be ready',
    default: 600,
    minimum: 10,
    maximum: 3600,
  })
  @Optional()
  @IsInt({ message: 'must be a whole number from 10 to 3600' })
  @Min(10, { message: 'must be a whole number from 10 to 3600' })
  @Max(3600, { message: 'must be a whole number from 10 to 3600' })
  timeout_seconds?: number;
}

export class InstallAddonDto extends OperationDto {
  @ApiPropertyOptional({
    description: 'Without it that of the catalogue, else the name of the chart',
    pattern: RELEASE_NAME.source,
    example: 'traefik',
  })
  @Optional()
  @IsString({ message: 'must be text' })
  @Matches(RELEASE_NAME, {
    message:
      'must be 1 to 53 small letters, digits and hyphens, with a letter or digit at both ends, such as traefik',
  })
  release?: string;

  @ApiPropertyOptional({
    description: 'Made where it is missing. Without it that of the catalogue, else the name of the release',
    pattern: NAMESPACE_NAME.source,
    example: 'traefik',
  })
  @Optional()
  @IsString({ message: 'must be text' })
  @Matches(NAMESPACE_NAME, { message: NAMESPACE_PROBLEM })
  namespace?: string;
}

/** Without a chart the release keeps its own, where it is known whence it came; without values it keeps those. */
export class UpgradeAddonDto extends OperationDto {}

export class RollbackAddonDto {
  @ApiProperty({ description: 'A number of its history', example: 1, minimum: 1 })
  @IsInt({ message: 'must be a whole number from 1' })
  @Min(1, { message: 'must be a whole number from 1' })
  @Max(1_000_000, { message: 'must be a whole number from 1' })
  revision!: number;

  @ApiPropertyOptional({ description: 'Changes nothing, and answers what would be changed', default: false })
  @Optional()
  @IsBoolean({ message: 'must be true or false' })
  dry_run?: boolean;
}

export class ForwardRequestDto {
  @ApiPropertyOptional({
    description: 'A Service of the release; without it the likeliest',
    example: 'kiali',
  })
  @Optional()
  @IsString({ message: 'must be text' })
  @Matches(NAMESPACE_NAME, { message: 'must be the name of a Service' })
  service?: string;

  @ApiPropertyOptional({ description: 'A port of that Service', example: 20001 })
  @Optional()
  @IsInt({ message: 'must be a port' })
  @Min(1, { message: 'must be a port' })
  @Max(65535, { message: 'must be a port' })
  port?: number;
}

/** A port of this machine that leads to the web page of a Service, until it is closed or its cluster stops. */
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
      'Address of the page, for browsers on the machine that runs Slipway. The response to opening it has a link that admits one browser, once, within a minute; lists have the address without a key.',
    example: 'http://127.0.0.1:43127',
  })
  url!: string;

  @Field({ example: 43127 })
  local_port!: number;

  @Field({ format: 'date-time', example: '2026-11-21T09:40:48.102Z' })
  created_at!: string;

  @Field({ description: 'Connections that are open now', example: 2 })
  connections!: number;

  @Field({ type: String, nullable: true, description: 'Why the last connection failed', example: null })
  problem!: string | null;
}
