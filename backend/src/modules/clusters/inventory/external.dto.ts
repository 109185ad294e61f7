import { Field, NestedField, NullableField } from '../../../core/api/index.js';

export const CLUSTER_COLORS = ['gray', 'blue', 'green', 'yellow', 'orange', 'red', 'purple'] as const;
export type ClusterColor = (typeof CLUSTER_COLORS)[number];

export class HistoryScopeDto {
  @Field({ example: 'shop' })
  namespace!: string;

  @NullableField(String, { description: 'Label selector; null for all Pods', example: 'app=web' })
  selector!: string | null;
}

/** Fields that only clusters of kubeconfigs have. */
export class ExternalDto {
  @Field({ description: 'Name of the context', example: 'gke_shop_europe-west3_prod' })
  context!: string;

  @NullableField(String, {
    description: 'Its file; null for a pasted kubeconfig',
    example: '/home/ada/.kube/config',
  })
  file!: string | null;

  @NullableField(String, { description: 'null while the context is missing', example: 'https://34.89.1.2' })
  server!: string | null;

  @NullableField(String, { description: 'Name of the user in the kubeconfig', example: 'ada' })
  user!: string | null;

  @NullableField(String, { description: 'Namespace of the context', example: 'shop' })
  namespace!: string | null;

  @Field({
    type: [String],
    description: 'Namespaces that the user typed, for a server that does not list them',
    example: [],
  })
  namespaces!: string[];

  @NullableField(String, {
    description: 'The distribution by the names of context and server',
    example: 'GKE',
  })
  distribution!: string | null;

  @Field({ enum: CLUSTER_COLORS, enumName: 'ClusterColor' })
  color!: ClusterColor;

  @Field({ example: 'Production. Ask before you change anything.' })
  note!: string;

  @Field({
    description: 'Whether changes are allowed. Otherwise requests that change it fail with `changes_off`',
  })
  changes_allowed!: boolean;

  @Field({
    description: 'Changes with server, certificate authority and user. Required to allow changes',
    example: '1f6a0c52d8e94b7a',
  })
  identity!: string;

  @NestedField(() => HistoryScopeDto, {
    isArray: true,
    description: 'Pods whose log lines are stored. Without any, logs are read live only',
  })
  history!: HistoryScopeDto[];

  @Field({ description: 'Whether the certificate of the server is not verified' })
  insecure!: boolean;

  @Field({ description: 'Whether the context runs a program that the user has not allowed' })
  needs_consent!: boolean;

  @NullableField(String, { description: 'What has changed since the user last decided', example: null })
  notice!: string | null;

  @NullableField(String, {
    description: 'When the server was last asked',
    example: '2026-11-21T09:40:48.102Z',
  })
  checked_at!: string | null;
}
