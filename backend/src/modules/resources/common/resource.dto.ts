import { Field, NestedField, NullableField } from '../../../core/api/index.js';
import { RESOURCE_HEALTH, type ResourceHealth, type TableCell } from '../../../drivers/kubernetes/index.js';

class KindDto {
  @Field({ description: 'API group; `core` for the core group', example: 'apps' })
  group!: string;

  @Field({ example: 'v1' })
  version!: string;

  @Field({ example: 'Deployment' })
  kind!: string;
}

export class ResourceReferenceDto extends KindDto {
  @Field({ example: 'deployments' })
  plural!: string;

  @NullableField(String, { description: 'Null for cluster-scoped kinds', example: 'shop' })
  namespace!: string | null;

  @Field({ example: 'web' })
  name!: string;
}

export class ObjectReferenceDto extends KindDto {
  @NullableField(String, {
    description: 'Null if the cluster does not serve the kind',
    example: 'deployments',
  })
  plural!: string | null;

  @NullableField(String, { description: 'Null for cluster-scoped kinds', example: 'shop' })
  namespace!: string | null;

  @Field({ example: 'web' })
  name!: string;
}

export class ResourceTypeDto extends KindDto {
  @Field({ example: 'deployments' })
  plural!: string;

  @Field()
  namespaced!: boolean;

  @Field({ type: [String], example: ['get', 'list', 'watch'] })
  verbs!: string[];

  @Field({ type: [String], example: ['deploy'] })
  short_names!: string[];

  @Field({ description: 'Whether a CRD defines it' })
  custom!: boolean;

  @Field({
    type: [String],
    description:
      'Verbs that the user of the kubeconfig surely may not use, some with a subresource, in the list of types only. Empty for a cluster of kind',
    required: false,
    example: ['delete', 'get exec'],
  })
  forbidden?: string[];
}

export class TableColumnDto {
  @Field({ example: 'Ready' })
  name!: string;

  @Field({ example: 'string', description: '`string`, `integer`, `number`, `boolean` or `date`' })
  type!: string;

  @Field({
    description: 'Description from the API server',
    example: 'The aggregate readiness state of this pod for accepting traffic.',
  })
  description!: string;

  @Field({
    description: '0 for the columns of `kubectl get`; higher for those that `-o wide` adds',
    example: 0,
  })
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

  @NullableField(String, { example: 'shop' })
  namespace!: string | null;

  @Field({ example: 'web-0' })
  name!: string;

  @NullableField(String, { format: 'date-time', example: '2026-11-21T09:26:44Z' })
  created_at!: string | null;

  @NullableField(String, {
    format: 'date-time',
    description: 'Set while the object is being deleted',
    example: null,
  })
  deleted_at!: string | null;

  @Field({ enum: RESOURCE_HEALTH })
  health!: ResourceHealth;

  @NestedField(() => ResourceOwnerDto, { nullable: true, description: 'Its controller' })
  owner!: ResourceOwnerDto | null;

  @Field({ type: 'object', additionalProperties: { type: 'string' } })
  labels!: Record<string, string>;

  @Field({
    description: 'One per column, as kubectl prints it',
    type: 'array',
    items: { oneOf: [{ type: 'string' }, { type: 'number' }, { type: 'boolean' }], nullable: true },
  })
  cells!: TableCell[];

  @NullableField(Number, {
    description: 'For pods and nodes with metrics-server, in thousandths of a core',
    example: 250,
  })
  cpu_millicores!: number | null;

  @NullableField(Number, {
    description: 'For pods and nodes with metrics-server, in bytes',
    example: 134_217_728,
  })
  memory_bytes!: number | null;
}

export class ResourceTableDto {
  @NestedField(() => ResourceTypeDto)
  type!: ResourceTypeDto;

  @NestedField(() => TableColumnDto, { isArray: true })
  columns!: TableColumnDto[];

  @NestedField(() => TableRowDto, { isArray: true })
  rows!: TableRowDto[];

  @NullableField(Number, {
    description: 'Number of objects in the namespace; null if the cluster does not report it',
    example: 42,
  })
  total!: number | null;

  @NullableField(String, {
    description: 'Token for the next page (`?continue=`); null on the last page',
    example: null,
  })
  continue!: string | null;

  @NullableField(String, {
    description: 'Position of the table, for `after` of a subscription to `/events`; null with selectors',
    example: '5f0c9a1e-6f0b-4c53-9b53-2f1d0f6a7c11.42',
  })
  position!: string | null;

  @Field({ description: 'Whether CPU and memory are available' })
  usage!: boolean;
}

export class BlockErrorDto {
  @Field({ example: 'resource_forbidden' })
  code!: string;

  @Field({ example: 'The cluster serves no poddisruptionbudgets of policy.' })
  message!: string;
}

export class HealthCountsDto {
  @Field({ example: 40 })
  ok!: number;

  @Field({ example: 1 })
  progressing!: number;

  @Field({ example: 0 })
  warning!: number;

  @Field({ example: 1 })
  failed!: number;

  @Field({ description: 'Completed jobs and their pods', example: 3 })
  ended!: number;

  @Field({ description: 'Objects without a health status', example: 0 })
  none!: number;
}

export class ResourceBlockDto {
  @NestedField(() => ResourceTypeDto)
  type!: ResourceTypeDto;

  @NestedField(() => TableColumnDto, { isArray: true })
  columns!: TableColumnDto[];

  @NestedField(() => TableRowDto, {
    isArray: true,
    description: 'From all namespaces; rows that need attention come first',
  })
  rows!: TableRowDto[];

  @Field({ example: 42 })
  total!: number;

  @NestedField(() => HealthCountsDto, {
    nullable: true,
    description: 'Of all rows; null if not all rows were read',
  })
  health!: HealthCountsDto | null;

  @NestedField(() => BlockErrorDto, {
    nullable: true,
    description: 'Why there are no rows: the list failed, or the cluster does not serve the kind',
  })
  error!: BlockErrorDto | null;
}

export class OverviewSummaryDto {
  @NullableField(String, { example: 'v1.34.4' })
  kubernetes_version!: string | null;

  @NullableField(Number, { example: 3 })
  nodes!: number | null;

  @NullableField(Number, { example: 3 })
  nodes_ready!: number | null;

  @NullableField(Number, { description: 'Without those that have completed', example: 42 })
  pods!: number | null;

  @NullableField(Number, { description: 'Running, with all containers ready', example: 40 })
  pods_ready!: number | null;

  @NullableField(Number, { example: 7 })
  namespaces!: number | null;

  @NullableField(Number, { description: 'Warning events', example: 2 })
  warnings!: number | null;

  @Field({ description: 'Whether metrics-server is available' })
  metrics!: boolean;
}
