import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsString, Matches } from 'class-validator';
import { Field, NestedField, Optional } from '../../core/api/index.js';
import { RELEASE_STATUSES, type ReleaseStatus } from '../../drivers/package-manager/index.js';
import { ADDON_CATEGORIES, ADDON_STATES, type AddonCategory, type AddonState } from './addon.js';
import { RESOURCE_HEALTH, type ResourceHealth } from '../resources/index.js';

export class CatalogueQueryDto {
  @ApiPropertyOptional({
    description: 'Version of Kubernetes that entries are to fit, such as the tag of a node image',
    example: 'v1.34.4',
  })
  @Optional()
  @IsString({ message: 'must be text' })
  @Matches(/^v?\d{1,3}\.\d{1,3}(\.\d{1,3})?(@sha256:[0-9a-f]{64})?$/, {
    message: 'must be a version, such as v1.34.4',
  })
  kubernetes?: string;
}

/** One entry of the catalogue, whatever cluster it is for. */
export class CatalogueEntryDto {
  @Field({ description: 'What `POST` takes as `addon`', example: 'metrics-server' })
  name!: string;

  @Field({ example: 'Metrics Server' })
  title!: string;

  @Field({ example: 'CPU and memory of pods and nodes.', description: 'What it is for, in a sentence' })
  purpose!: string;

  @Field({ enum: ADDON_CATEGORIES, enumName: 'AddonCategory' })
  category!: AddonCategory;

  @Field({ example: 'https://kubernetes-sigs.github.io/metrics-server/' })
  source!: string;

  @Field({ description: 'Name of the chart', example: 'metrics-server' })
  chart!: string;

  @Field({ description: 'The version that is installed unless another is asked for', example: '3.13.1' })
  version!: string;

  @Field({ type: String, nullable: true, description: 'Of what the chart installs', example: '0.8.1' })
  app_version!: string | null;

  @Field({ description: 'Namespace that is proposed', example: 'kube-system' })
  namespace!: string;

  @Field({ description: 'Release name that is proposed', example: 'metrics-server' })
  release!: string;

  @Field({
    example: 'args:\n  - --kubelet-insecure-tls\n',
    description: 'Values for a cluster of kind, as YAML: what the form begins with',
  })
  values!: string;

  @Field({ isArray: true, type: String, description: 'What to know before it is installed' })
  notes!: string[];

  @Field({
    isArray: true,
    type: String,
    description: 'Other entries that it needs, in the order of their installation',
    example: [],
  })
  needs!: string[];

  @Field({ type: String, nullable: true, description: 'Range of Kubernetes versions', example: '>=1.25.0-0' })
  kubernetes!: string | null;

  @Field({
    type: String,
    nullable: true,
    description: 'Why it does not fit the cluster, or the version that was asked for; null where it does',
    example: null,
  })
  unfit!: string | null;
}

/** One entry of the catalogue, as it stands in a cluster. */
export class AddonDto extends CatalogueEntryDto {
  @Field({ enum: ADDON_STATES, enumName: 'AddonState' })
  state!: AddonState;

  @Field({
    example: 'metrics-server',
    type: String,
    nullable: true,
    description: 'The release by which it is installed, which may be called otherwise',
  })
  installed_release!: string | null;

  @Field({ example: 'kube-system', type: String, nullable: true, description: 'Namespace of that release' })
  installed_namespace!: string | null;

  @Field({ example: '3.13.1', type: String, nullable: true, description: 'Chart version of that release' })
  installed_version!: string | null;
}

/** The catalogue with what the cluster has of it. */
export class AddonCatalogueDto {
  @NestedField(() => AddonDto, { isArray: true })
  addons!: AddonDto[];

  @Field({
    example: null,
    type: String,
    nullable: true,
    description: 'Why the states could not be read, as of a cluster that is stopped; they are then not told',
  })
  reason!: string | null;

  @Field({
    example: null,
    type: String,
    nullable: true,
    description: 'What is wrong with helm on this machine: it is missing, or older than is safe',
  })
  warning!: string | null;
}

/** One release of helm, whoever made it. */
export class ReleaseDto {
  @Field({
    description: 'Title of the catalogue’s entry, or the name of its chart',
    example: 'Metrics Server',
  })
  name!: string;

  @Field({ type: String, nullable: true, description: 'The catalogue’s entry', example: 'metrics-server' })
  addon!: string | null;

  @Field({ example: 'metrics-server' })
  release!: string;

  @Field({ example: 'kube-system' })
  namespace!: string;

  @Field({ enum: ADDON_STATES, enumName: 'AddonState' })
  state!: AddonState;

  @Field({ example: 'metrics-server' })
  chart!: string;

  @Field({ example: '3.13.1' })
  version!: string;

  @Field({ type: String, nullable: true, example: '0.8.1' })
  app_version!: string | null;

  @Field({ example: 2 })
  revision!: number;

  @Field({ example: '2026-11-21T09:40:48.102Z', format: 'date-time' })
  updated_at!: string;

  @Field({
    example: null,
    type: String,
    nullable: true,
    description: 'The catalogue’s version, where it is another one',
  })
  available_version!: string | null;

  @Field({
    example: 'catalogue',
    type: String,
    nullable: true,
    description:
      'Where an upgrade takes its chart from by itself: `catalogue`, `uploaded` or the name of a repository; null where it must be told',
  })
  source!: string | null;

  @Field({ example: null, type: Number, nullable: true, description: 'The job that is at work on it' })
  active_job_id!: number | null;

  @Field({
    example: 8,
    type: Number,
    nullable: true,
    description: 'Of its resources, those that are ready; null where they were not counted',
  })
  resources_ready!: number | null;

  @Field({ example: 9, type: Number, nullable: true })
  resources_total!: number | null;
}

export class ReleaseResourceDto {
  @Field({ description: '`core` for the core group', example: 'apps' })
  group!: string;

  @Field({ example: 'v1' })
  version!: string;

  @Field({
    type: String,
    nullable: true,
    description: 'Null where the cluster does not serve the kind',
    example: 'deployments',
  })
  plural!: string | null;

  @Field({ example: 'Deployment' })
  kind!: string;

  @Field({ type: String, nullable: true, example: 'kube-system' })
  namespace!: string | null;

  @Field({ example: 'metrics-server' })
  name!: string;

  @Field({ description: 'Whether it stays when the release is removed: its chart asks for that' })
  kept!: boolean;

  @Field({ description: 'Whether the cluster has it' })
  present!: boolean;

  @Field({ enum: RESOURCE_HEALTH })
  health!: ResourceHealth;

  @Field({ type: String, nullable: true, example: '1 of 1 ready' })
  detail!: string | null;
}

export class ReleaseRevisionDto {
  @Field({ example: 2 })
  revision!: number;

  @Field({ enum: RELEASE_STATUSES, enumName: 'ReleaseStatus' })
  status!: ReleaseStatus;

  @Field({ example: 'metrics-server' })
  chart!: string;

  @Field({ example: '3.13.1' })
  version!: string;

  @Field({ type: String, nullable: true, example: '0.8.1' })
  app_version!: string | null;

  @Field({ example: '2026-11-21T09:40:48.102Z', format: 'date-time' })
  updated_at!: string;

  @Field({ example: 'Upgrade complete' })
  description!: string;
}

/** A Service of a release that may be opened through a port-forward. */
export class ReleaseServiceDto {
  @Field({ example: 'kiali' })
  service!: string;

  @Field({ example: 'istio-system' })
  namespace!: string;

  @Field({ example: 20001 })
  port!: number;

  @Field({ type: String, nullable: true, example: 'http' })
  port_name!: string | null;
}

/** One release with all that is known of it. */
export class ReleaseDetailsDto extends ReleaseDto {
  @Field({ example: 'replicas: 2\n', description: 'What was given, as YAML; empty where nothing was' })
  values!: string;

  @Field({
    example: 'replicas: 2\nargs: []\n',
    description: 'What was given over what the chart has, as YAML',
  })
  computed_values!: string;

  @Field({ example: 'It can be reached at …', description: 'What the chart says after its installation' })
  notes!: string;

  @NestedField(() => ReleaseRevisionDto, { isArray: true, description: 'The newest first' })
  history!: ReleaseRevisionDto[];

  @NestedField(() => ReleaseResourceDto, { isArray: true })
  resources!: ReleaseResourceDto[];

  @NestedField(() => ReleaseServiceDto, { isArray: true, description: 'What a port-forward may lead to' })
  services!: ReleaseServiceDto[];

  @Field({ isArray: true, type: String, description: 'How to read a first password, and the like' })
  hints!: string[];
}

/** One object of a manifest that an operation would change. The values of Secrets are replaced by a mark. */
export class ManifestChangeDto {
  @Field({ example: 'Deployment' })
  kind!: string;

  @Field({ example: 'apps/v1' })
  api_version!: string;

  @Field({ type: String, nullable: true, example: 'kube-system' })
  namespace!: string | null;

  @Field({ example: 'metrics-server' })
  name!: string;

  @Field({ enum: ['added', 'changed', 'removed'] })
  change!: 'added' | 'changed' | 'removed';

  @Field({ example: 'spec:\n  replicas: 1\n', description: 'YAML; empty for what is added' })
  before!: string;

  @Field({ example: 'spec:\n  replicas: 2\n', description: 'YAML; empty for what is removed' })
  after!: string;
}

/** What an operation would do. */
export class AddonDiffDto {
  @NestedField(() => ManifestChangeDto, { isArray: true })
  changes!: ManifestChangeDto[];

  @Field({ description: 'Objects that stay as they are', example: 7 })
  unchanged!: number;

  @Field({ isArray: true, type: String, description: 'What deserves a look before it is done' })
  warnings!: string[];
}

/** The answer to an install, upgrade, rollback or uninstall: a job (202), or for a dry run the difference (200). */
export class AddonOperationDto {
  @Field()
  dry_run!: boolean;

  @Field({ type: Number, nullable: true, example: 12 })
  job_id!: number | null;

  @Field({ example: 'staging' })
  cluster!: string;

  @Field({ type: String, nullable: true, example: '/api/v1/jobs/12' })
  status_url!: string | null;

  @Field({ example: 'metrics-server' })
  release!: string;

  @Field({ example: 'kube-system' })
  namespace!: string;

  @NestedField(() => AddonDiffDto, { nullable: true })
  difference!: AddonDiffDto | null;
}
