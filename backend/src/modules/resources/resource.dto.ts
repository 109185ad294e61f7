import { Field, NestedField, OpenField } from '../../core/api/index.js';
import type { TableCell } from '../../drivers/kubernetes/index.js';

/** How an object stands, for the mark before its row. */
export const RESOURCE_HEALTH = ['ok', 'progressing', 'warning', 'failed', 'ended', 'none'] as const;
export type ResourceHealth = (typeof RESOURCE_HEALTH)[number];

export class ResourceTypeDto {
  @Field({ description: 'API group; `core` for the core group', example: 'apps' })
  group!: string;

  @Field({ example: 'v1' })
  version!: string;

  @Field({ example: 'deployments' })
  plural!: string;

  @Field({ example: 'Deployment' })
  kind!: string;

  @Field()
  namespaced!: boolean;

  @Field({ isArray: true, type: String, example: ['get', 'list', 'watch'] })
  verbs!: string[];

  @Field({ isArray: true, type: String, example: ['deploy'] })
  short_names!: string[];

  @Field({ description: 'Whether it is served for a custom resource definition' })
  custom!: boolean;
}

export class TableColumnDto {
  @Field({ example: 'Ready' })
  name!: string;

  @Field({ example: 'string', description: '`string`, `integer`, `number`, `boolean` or `date`' })
  type!: string;

  @Field({
    description: 'What the API server says of the column',
    example: 'The aggregate readiness state of this pod for accepting traffic.',
  })
  description!: string;

  @Field({ description: '0 for what kubectl shows, above that what `-o wide` adds', example: 0 })
  priority!: number;
}

export class ResourceOwnerDto {
  @Field({ example: 'ReplicaSet' })
  kind!: string;

  @Field({ example: 'web-6d4cf56db6' })
  name!: string;
}

export class TableRowDto {
  @Field({ example: '5d0b6c9e-0f4c-4a54-9d2b-2f6f7a1f2c11' })
  uid!: string;

  @Field({ type: String, nullable: true, example: 'shop' })
  namespace!: string | null;

  @Field({ example: 'web-0' })
  name!: string;

  @Field({ type: String, nullable: true, format: 'date-time', example: '2026-11-21T09:26:44Z' })
  created_at!: string | null;

  @Field({
    type: String,
    nullable: true,
    format: 'date-time',
    description: 'Set while it is being deleted',
    example: null,
  })
  deleted_at!: string | null;

  @Field({ enum: RESOURCE_HEALTH })
  health!: ResourceHealth;

  @NestedField(() => ResourceOwnerDto, { nullable: true, description: 'What controls it' })
  owner!: ResourceOwnerDto | null;

  @OpenField({ type: 'object', additionalProperties: { type: 'string' } })
  labels!: Record<string, string>;

  @OpenField({
    description: 'One for each column, as kubectl prints them',
    type: 'array',
    items: { oneOf: [{ type: 'string' }, { type: 'number' }, { type: 'boolean' }], nullable: true },
  })
  cells!: TableCell[];

  @Field({
    type: Number,
    nullable: true,
    description: 'Pods and nodes, where metrics-server runs: thousandths of a core',
    example: 250,
  })
  cpu_millicores!: number | null;

  @Field({
    type: Number,
    nullable: true,
    description: 'Pods and nodes, where metrics-server runs: bytes',
    example: 134_217_728,
  })
  memory_bytes!: number | null;
}

/** One page of a table. */
export class ResourceTableDto {
  @NestedField(() => ResourceTypeDto)
  type!: ResourceTypeDto;

  @NestedField(() => TableColumnDto, { isArray: true })
  columns!: TableColumnDto[];

  @NestedField(() => TableRowDto, { isArray: true })
  rows!: TableRowDto[];

  @Field({
    type: Number,
    nullable: true,
    description: 'How many there are with this namespace; null where the cluster does not tell',
    example: 42,
  })
  total!: number | null;

  @Field({
    type: String,
    nullable: true,
    description: 'For the next page, as `?continue=`; null after the last',
    example: null,
  })
  continue!: string | null;

  @Field({ description: 'Whether metrics-server gave CPU and memory' })
  usage!: boolean;
}

export class BlockErrorDto {
  @Field({ example: 'resource_forbidden' })
  code!: string;

  @Field({ example: 'The cluster serves no poddisruptionbudgets of policy.' })
  message!: string;
}

/** How many rows stand how. */
export class HealthCountsDto {
  @Field({ example: 40 })
  ok!: number;

  @Field({ example: 1 })
  progressing!: number;

  @Field({ example: 0 })
  warning!: number;

  @Field({ example: 1 })
  failed!: number;

  @Field({ description: 'Ended as they should: completed jobs and their pods', example: 3 })
  ended!: number;

  @Field({ description: 'Of kinds that have no health', example: 0 })
  none!: number;
}

/** One kind of the overview: its first rows, and what they are of. */
export class ResourceBlockDto {
  @NestedField(() => ResourceTypeDto)
  type!: ResourceTypeDto;

  @NestedField(() => TableColumnDto, { isArray: true })
  columns!: TableColumnDto[];

  @NestedField(() => TableRowDto, {
    isArray: true,
    description: 'Across all namespaces, what needs attention first',
  })
  rows!: TableRowDto[];

  @Field({ example: 42 })
  total!: number;

  @NestedField(() => HealthCountsDto, {
    nullable: true,
    description: 'Of all rows; null where not all were looked at',
  })
  health!: HealthCountsDto | null;

  @NestedField(() => BlockErrorDto, {
    nullable: true,
    description: 'Why there are no rows: it failed, or the cluster does not serve it',
  })
  error!: BlockErrorDto | null;
}

export class OverviewSummaryDto {
  @Field({ type: String, nullable: true, example: 'v1.34.4' })
  kubernetes_version!: string | null;

  @Field({ type: Number, nullable: true, example: 3 })
  nodes!: number | null;

  @Field({ type: Number, nullable: true, example: 3 })
  nodes_ready!: number | null;

  @Field({ type: Number, nullable: true, example: 42 })
  pods!: number | null;

  @Field({ type: Number, nullable: true, description: 'Running with all containers ready', example: 40 })
  pods_ready!: number | null;

  @Field({ type: Number, nullable: true, example: 7 })
  namespaces!: number | null;

  @Field({ type: Number, nullable: true, description: 'Warnings among the events that are kept', example: 2 })
  warnings!: number | null;

  @Field({ description: 'Whether metrics-server answers' })
  metrics!: boolean;
}
