import { Matches } from 'class-validator';
import { Field, NestedField, NullableField, OptionalText } from '../../../core/api/index.js';
import { RESOURCE_HEALTH, type ResourceHealth } from '../../../drivers/kubernetes/index.js';
import { RELEASE_STATUSES, type ReleaseStatus } from '../../../drivers/package-manager/index.js';
import { ADDON_CATEGORIES, ADDON_STATES, type AddonCategory, type AddonState } from './addon.js';
import { ObjectReferenceDto } from '../../resources/index.js';

export class CatalogQueryDto {
  @OptionalText({
    description: 'Kubernetes version that entries are checked against, such as the tag of a node image',
    example: 'v1.34.4',
  })
  @Matches(/^v?\d{1,3}\.\d{1,3}(\.\d{1,3})?(@sha256:[0-9a-f]{64})?$/, {
    message: 'must be a version, such as v1.34.4',
  })
  kubernetes?: string;
}

export class CatalogEntryDto {
  @Field({ description: 'Value of `addon` in an installation request', example: 'metrics-server' })
  name!: string;

  @Field({ example: 'Metrics Server' })
  title!: string;

  @Field({ example: 'CPU and memory of pods and nodes.', description: 'Purpose in one sentence' })
  purpose!: string;

  @Field({ enum: ADDON_CATEGORIES, enumName: 'AddonCategory' })
  category!: AddonCategory;

  @Field({ example: 'https://kubernetes-sigs.github.io/metrics-server/' })
  source!: string;

  @Field({ description: 'Name of the chart', example: 'metrics-server' })
  chart!: string;

  @Field({ description: 'Default chart version', example: '3.13.1' })
  version!: string;

  @NullableField(String, { description: 'Version of the installed software', example: '0.8.1' })
  app_version!: string | null;

  @Field({ description: 'Default namespace', example: 'kube-system' })
  namespace!: string;

  @Field({ description: 'Default release name', example: 'metrics-server' })
  release!: string;

  @Field({
    example: 'args:\n  - --kubelet-insecure-tls\n',
    description: 'Default values for a kind cluster, as YAML',
  })
  values!: string;

  @Field({ type: [String], description: 'Notes to read before the installation' })
  notes!: string[];

  @Field({ type: [String], description: 'Addons it depends on, in installation order', example: [] })
  needs!: string[];

  @Field({ description: 'Whether it has a web page' })
  page!: boolean;

  @NullableField(String, { description: 'Supported Kubernetes versions', example: '>=1.25.0-0' })
  kubernetes!: string | null;

  @NullableField(String, {
    description: 'Why the addon does not support the Kubernetes version; null if it does',
    example: null,
  })
  unfit!: string | null;
}

export class AddonDto extends CatalogEntryDto {
  @Field({ enum: ADDON_STATES, enumName: 'AddonState' })
  state!: AddonState;

  @NullableField(String, {
    example: 'metrics-server',
    description: 'Name of the installed release, which may differ from the default',
  })
  installed_release!: string | null;

  @NullableField(String, { example: 'kube-system', description: 'Namespace of that release' })
  installed_namespace!: string | null;

  @NullableField(String, { example: '3.13.1', description: 'Chart version of that release' })
  installed_version!: string | null;
}

export class AddonCatalogDto {
  @NestedField(() => AddonDto, { isArray: true })
  addons!: AddonDto[];

  @NullableField(String, {
    example: null,
    description: 'Why the states are unknown, for example because the cluster is stopped',
  })
  reason!: string | null;

  @NullableField(String, {
    example: null,
    description: 'Problem with helm on the host: it is missing or has known vulnerabilities',
  })
  warning!: string | null;
}

class RevisionDto {
  @Field({ example: 'metrics-server' })
  chart!: string;

  @Field({ example: '3.13.1' })
  version!: string;

  @NullableField(String, { example: '0.8.1' })
  app_version!: string | null;

  @Field({ example: 2 })
  revision!: number;

  @Field({ example: '2026-11-21T09:40:48.102Z', format: 'date-time' })
  updated_at!: string;
}

export class ReleaseDto extends RevisionDto {
  @Field({ description: 'Title of the catalog entry, or the name of the chart', example: 'Metrics Server' })
  name!: string;

  @NullableField(String, { description: 'Name of the catalog entry', example: 'metrics-server' })
  addon!: string | null;

  @Field({ example: 'metrics-server' })
  release!: string;

  @Field({ example: 'kube-system' })
  namespace!: string;

  @Field({ enum: ADDON_STATES, enumName: 'AddonState' })
  state!: AddonState;

  @NullableField(String, {
    example: null,
    description:
      'A newer version: in the catalog, among the uploaded charts, or in its repository once its charts were listed',
  })
  available_version!: string | null;

  @NullableField(String, {
    example: 'catalogue',
    description:
      'Where an upgrade gets the chart from by default: `catalogue`, `uploaded` or the name of a repository; null if unknown',
  })
  source!: string | null;

  @NullableField(Number, { example: null, description: 'Active job of the release' })
  active_job_id!: number | null;

  @NullableField(Number, {
    example: 8,
    description: 'Number of ready resources; null if they were not counted',
  })
  resources_ready!: number | null;

  @NullableField(Number, { example: 9 })
  resources_total!: number | null;

  @Field({
    enum: RESOURCE_HEALTH,
    nullable: true,
    description: 'The worst health of its resources; null if they were not counted',
    example: 'ok',
  })
  health!: ResourceHealth | null;
}

export class ReleaseResourceDto extends ObjectReferenceDto {
  @Field({ description: 'Whether the chart keeps it when the release is uninstalled' })
  kept!: boolean;

  @Field({ description: 'Whether it exists in the cluster' })
  present!: boolean;

  @Field({ enum: RESOURCE_HEALTH })
  health!: ResourceHealth;

  @NullableField(String, { example: '1 of 1 ready' })
  detail!: string | null;
}

class ReleaseRevisionDto extends RevisionDto {
  @Field({ enum: RELEASE_STATUSES, enumName: 'ReleaseStatus' })
  status!: ReleaseStatus;

  @Field({ example: 'Upgrade complete' })
  description!: string;
}

export class ReleaseServiceDto {
  @Field({ example: 'kiali' })
  service!: string;

  @Field({ example: 'istio-system' })
  namespace!: string;

  @Field({ example: 20001 })
  port!: number;

  @NullableField(String, { example: 'http' })
  port_name!: string | null;
}

export class ReleaseDetailsDto extends ReleaseDto {
  @Field({ example: 'replicas: 2\n', description: 'User-supplied values as YAML, or empty' })
  values!: string;

  @Field({
    example: 'replicas: 2\nargs: []\n',
    description: 'User-supplied values merged into the chart defaults, as YAML',
  })
  computed_values!: string;

  @Field({ example: 'It can be reached at …', description: 'Notes of the chart after the installation' })
  notes!: string;

  @NestedField(() => ReleaseRevisionDto, { isArray: true, description: 'Newest first' })
  history!: ReleaseRevisionDto[];

  @NestedField(() => ReleaseResourceDto, { isArray: true })
  resources!: ReleaseResourceDto[];

  @NestedField(() => ReleaseServiceDto, { isArray: true, description: 'Possible targets of a port-forward' })
  services!: ReleaseServiceDto[];

  @Field({
    type: [String],
    example: ['certificates.cert-manager.io'],
    description:
      'CRDs from the `crds/` folder of the chart, which stay when the release is uninstalled. Absent unless requested.',
    required: false,
  })
  kept_crds?: string[];

  @Field({ type: [String], description: 'Next steps, such as how to read the initial password' })
  hints!: string[];
}

/** An object that an operation would change. The values of Secrets are masked. */
export class ManifestChangeDto {
  @Field({ example: 'Deployment' })
  kind!: string;

  @Field({ example: 'apps/v1' })
  api_version!: string;

  @NullableField(String, { example: 'kube-system' })
  namespace!: string | null;

  @Field({ example: 'metrics-server' })
  name!: string;

  @Field({ enum: ['added', 'changed', 'removed'] })
  change!: 'added' | 'changed' | 'removed';

  @Field({ example: 'spec:\n  replicas: 1\n', description: 'YAML; empty for an added object' })
  before!: string;

  @Field({ example: 'spec:\n  replicas: 2\n', description: 'YAML; empty for a removed object' })
  after!: string;
}

export class AddonDiffDto {
  @NestedField(() => ManifestChangeDto, { isArray: true })
  changes!: ManifestChangeDto[];

  @Field({ description: 'Number of unchanged objects', example: 7 })
  unchanged!: number;

  @Field({ type: [String], description: 'Warnings to read before the operation' })
  warnings!: string[];
}

/** Response to an operation: a job (202), or the diff of a dry run (200). */
export class AddonOperationDto {
  @Field()
  dry_run!: boolean;

  @NullableField(Number, { example: 12 })
  job_id!: number | null;

  @Field({ example: 'staging' })
  cluster!: string;

  @NullableField(String, { example: '/api/v1/jobs/12' })
  status_url!: string | null;

  @Field({ example: 'metrics-server' })
  release!: string;

  @Field({ example: 'kube-system' })
  namespace!: string;

  @NestedField(() => AddonDiffDto, { nullable: true })
  difference!: AddonDiffDto | null;
}
