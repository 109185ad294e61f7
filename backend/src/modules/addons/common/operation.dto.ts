import { Matches } from 'class-validator';
import {
  Field,
  Flag,
  Integer,
  NullableField,
  OptionalInteger,
  OptionalText,
  QueryFlag,
  RuntimeQueryDto,
} from '../../../core/api/index.js';
import { MAX_VALUES_LENGTH, NAMESPACE_NAME, RELEASE_NAME } from './addon.js';
import { ChartQueryDto } from './chart.dto.js';

const NAMESPACE_PROBLEM =
  'must be 1 to 63 lowercase letters, digits and hyphens, and start and end with a letter or digit, such as monitoring';

export class InstalledQueryDto extends RuntimeQueryDto {
  @QueryFlag({ description: 'Count the ready resources of each release, which takes longer' })
  resources?: boolean;
}

/** Selects a release. Its name may exist in several namespaces. */
export class ReleaseQueryDto extends RuntimeQueryDto {
  @OptionalText({ description: 'Required if the name exists in several namespaces', example: 'kube-system' })
  @Matches(NAMESPACE_NAME, { message: NAMESPACE_PROBLEM })
  namespace?: string;
}

export class ReleaseDetailsQueryDto extends ReleaseQueryDto {
  @QueryFlag({ description: 'Include `kept_crds`, for which the record of helm is read' })
  kept_crds?: boolean;
}

export class UninstallQueryDto extends ReleaseQueryDto {
  @QueryFlag({
    description: 'Run no hooks of the chart (`helm uninstall --no-hooks`), for a release whose hook fails',
  })
  no_hooks?: boolean;
}

/** Selects the chart by `addon`, or by `repository` and `chart`. There is no field for a password of an addon. */
class OperationDto extends ChartQueryDto {
  @OptionalText({
    description: 'YAML that overrides the chart defaults',
    example: 'replicas: 2\n',
    maxLength: MAX_VALUES_LENGTH,
  })
  values?: string;

  @Flag({ description: 'Return the diff without changing anything' })
  dry_run?: boolean;

  @Flag({ description: 'Keep a failed release for debugging. A cancelled operation is always reverted' })
  keep_on_failure?: boolean;

  @OptionalInteger({
    description: 'Seconds to wait until the release is ready',
    minimum: 10,
    maximum: 3600,
    default: 600,
  })
  timeout_seconds?: number;
}

export class InstallAddonDto extends OperationDto {
  @OptionalText({
    description: 'Defaults to the release name of the catalog entry, or else the chart name',
    pattern: RELEASE_NAME.source,
    example: 'traefik',
  })
  @Matches(RELEASE_NAME, {
    message:
      'must be 1 to 53 lowercase letters, digits and hyphens, and start and end with a letter or digit, such as traefik',
  })
  release?: string;

  @OptionalText({
    description:
      'Created if it does not exist. Defaults to the namespace of the catalog entry, or else the release name',
    pattern: NAMESPACE_NAME.source,
    example: 'traefik',
  })
  @Matches(NAMESPACE_NAME, { message: NAMESPACE_PROBLEM })
  namespace?: string;
}

/** Fields that are not set keep the chart and values of the release. */
export class UpgradeAddonDto extends OperationDto {}

export class RollbackAddonDto {
  @Integer({ description: 'A revision of the history', minimum: 1, maximum: 1_000_000, example: 1 })
  revision!: number;

  @Flag({ description: 'Return the diff without changing anything' })
  dry_run?: boolean;
}

export class OpenAddonDto {
  @OptionalText({
    description: 'A Service of the release. By default, the one that most likely serves a web page',
    example: 'kiali',
  })
  @Matches(NAMESPACE_NAME, { message: 'must be the name of a Service' })
  service?: string;

  @OptionalInteger({ description: 'A port of that Service', minimum: 1, maximum: 65535, example: 20001 })
  port?: number;
}

/** A port-forward to the web page of a Service. It lives until it is closed or the cluster stops. */
export class AddonForwardDto {
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
    example: 'http://qwmrtzkxvnbd.localhost:43127',
  })
  url!: string;

  @Field({ example: 43127 })
  local_port!: number;

  @Field({ format: 'date-time', example: '2026-11-21T09:40:48.102Z' })
  created_at!: string;

  @Field({ description: 'Open connections', example: 2 })
  connections!: number;

  @NullableField(String, { description: 'Why the last connection failed', example: null })
  problem!: string | null;
}
