import { ApiProperty } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { ArrayMaxSize, IsArray, IsIn, Matches, ValidateNested } from 'class-validator';
import {
  Field,
  Flag,
  NestedField,
  NullableField,
  Optional,
  OptionalText,
  QueryFlag,
  Text,
} from '../../core/api/index.js';
import { CLUSTER_NAME, NAMESPACE_NAME } from '../../core/security/index.js';
import { CLUSTER_COLORS, ClusterDto, type ClusterColor } from '../clusters/index.js';

const MAX_NAMESPACES = 100;
const MAX_NOTE = 500;
/** The API server validates the syntax. */
const LABEL_SELECTOR = /^[A-Za-z0-9_./\-=!,() ]*$/;
const MAX_CONTEXT = 1000;
const MAX_KUBECONFIG = 400_000;

export class ContextDto {
  @Field({ example: 'gke_shop_europe-west3_prod' })
  context!: string;

  @Field({ example: '/home/ada/.kube/config' })
  file!: string;

  @Field({ description: 'Whether kubectl finds the context of this name in an earlier file of KUBECONFIG' })
  shadowed!: boolean;

  @NullableField(String, { example: 'https://34.89.1.2' })
  server!: string | null;

  @Field({ description: 'Name of the user in the kubeconfig', example: 'ada' })
  user!: string;

  @NullableField(String, { example: 'shop' })
  namespace!: string | null;

  @NullableField(String, {
    description: 'The distribution by the names of context and server',
    example: 'GKE',
  })
  distribution!: string | null;

  @NullableField(String, { description: 'Command with which it signs in', example: 'gke-gcloud-auth-plugin' })
  plugin!: string | null;

  @NullableField(String, { description: 'Why it cannot be added', example: null })
  problem!: string | null;

  @NullableField(String, { description: 'The external cluster that was added from it', example: null })
  added_as!: string | null;

  @NullableField(String, { description: 'The cluster of kind, which needs not be added', example: null })
  own_cluster!: string | null;
}

export class KubeconfigProblemDto {
  @Field({ example: '/home/ada/.kube/work' })
  file!: string;

  @Field({ example: 'line 4 is not valid YAML' })
  problem!: string;
}

export class ContextsDto {
  @Field({
    type: [String],
    description: 'The files, in the order of kubectl',
    example: ['/home/ada/.kube/config'],
  })
  files!: string[];

  @NestedField(() => KubeconfigProblemDto, { isArray: true, description: 'Files that cannot be read' })
  problems!: KubeconfigProblemDto[];

  @NestedField(() => ContextDto, { isArray: true })
  contexts!: ContextDto[];
}

export class AddExternalClusterDto {
  @OptionalText({
    description: 'Name of the context. Of a pasted kubeconfig, by default its current or only one',
    maxLength: MAX_CONTEXT,
    example: 'gke_shop_europe-west3_prod',
  })
  context?: string;

  @OptionalText({
    description: 'Its file. By default the first file of KUBECONFIG with the context',
    maxLength: 4096,
    example: '/home/ada/.kube/config',
  })
  file?: string;

  @OptionalText({
    description:
      'A kubeconfig instead of a file, which is stored encrypted. It must not lead to files or programs: use `kubectl config view --raw --flatten`',
    maxLength: MAX_KUBECONFIG,
    example: 'apiVersion: v1\nkind: Config\n…',
  })
  kubeconfig?: string;

  @OptionalText({ description: 'By default from the name of the context', example: 'prod' })
  @Matches(CLUSTER_NAME, {
    message:
      'must have at most 40 lower-case letters, digits and hyphens, and start and end with a letter or digit',
  })
  name?: string;

  @ApiProperty({ enum: CLUSTER_COLORS, enumName: 'ClusterColor', required: false, default: 'gray' })
  @Optional()
  @IsIn(CLUSTER_COLORS, { message: `must be one of ${CLUSTER_COLORS.join(', ')}` })
  color?: ClusterColor;

  @OptionalText({ maxLength: MAX_NOTE, example: 'Production. Ask before you change anything.' })
  note?: string;
}

export class ChosenScopeDto {
  @Text({ example: 'shop' })
  @Matches(NAMESPACE_NAME, { message: 'must be a valid namespace name, such as shop' })
  namespace!: string;

  @OptionalText({ description: 'Label selector as in `kubectl get -l`', maxLength: 1000, example: 'app=web' })
  @Matches(LABEL_SELECTOR, { message: 'is not a valid label selector' })
  selector?: string;
}

/** How much the Pods of a scope write, measured over their last minute. */
export class HistoryEstimateDto {
  @Field({ description: 'Containers that run', example: 12 })
  containers!: number;

  @Field({ description: 'Of them, those whose last minute was read', example: 12 })
  sampled!: number;

  @Field({ example: 41.5 })
  lines_per_second!: number;

  @Field({ description: 'Before the store compresses them', example: 420_000_000 })
  bytes_per_day!: number;

  @Field({
    description: 'Disk for all days that lines are kept, after compression',
    example: 700_000_000,
  })
  disk_bytes!: number;
}

export class ChangeExternalClusterDto {
  @ApiProperty({ enum: CLUSTER_COLORS, enumName: 'ClusterColor', required: false })
  @Optional()
  @IsIn(CLUSTER_COLORS, { message: `must be one of ${CLUSTER_COLORS.join(', ')}` })
  color?: ClusterColor;

  @OptionalText({ maxLength: MAX_NOTE, example: 'Production. Ask before you change anything.' })
  note?: string;

  @ApiProperty({ type: [String], maxItems: MAX_NAMESPACES, required: false, example: ['shop'] })
  @Optional()
  @IsArray({ message: 'must be a list' })
  @ArrayMaxSize(MAX_NAMESPACES, { message: `must have at most ${MAX_NAMESPACES} items` })
  @Matches(NAMESPACE_NAME, { each: true, message: 'must be valid namespace names, such as shop' })
  namespaces?: string[];

  @ApiProperty({
    type: () => [ChosenScopeDto],
    maxItems: MAX_NAMESPACES,
    required: false,
    description: 'Pods whose log lines are stored',
  })
  @Optional()
  @IsArray({ message: 'must be a list' })
  @ArrayMaxSize(MAX_NAMESPACES, { message: `must have at most ${MAX_NAMESPACES} items` })
  @ValidateNested({ each: true, message: 'must be objects with a namespace' })
  @Type(() => ChosenScopeDto)
  history?: ChosenScopeDto[];

  @Flag({ description: 'Allows or forbids changes. To allow them, `identity` is required' })
  changes_allowed?: boolean;

  @OptionalText({
    description: '`external.identity` of the cluster for which changes shall be allowed',
    maxLength: 100,
    example: '1f6a0c52d8e94b7a',
  })
  identity?: string;
}

export class PluginVariableDto {
  @Field({ example: 'AWS_PROFILE' })
  name!: string;

  @Field({ example: 'work' })
  value!: string;
}

/** The program with which a context signs in. */
export class ContextPluginDto {
  @Field({ example: 'aws' })
  command!: string;

  @Field({ description: 'The program that runs', example: '/usr/local/bin/aws' })
  path!: string;

  @Field({ type: [String], example: ['eks', 'get-token', '--cluster-name', 'shop'] })
  args!: string[];

  @NestedField(() => PluginVariableDto, {
    isArray: true,
    description: 'Variables that the kubeconfig sets for it',
  })
  env!: PluginVariableDto[];

  @Field({ description: 'Of all this. Consent is given to it', example: '9d1c…' })
  fingerprint!: string;

  @Field({ description: 'Whether the user has allowed it' })
  allowed!: boolean;
}

export class ExternalClusterDetailsDto {
  @NestedField(() => ClusterDto)
  cluster!: ClusterDto;

  @NestedField(() => ContextPluginDto, {
    nullable: true,
    description: 'null without one, or while it is not found',
  })
  plugin!: ContextPluginDto | null;
}

export class PluginConsentDto {
  @Text({ description: '`plugin.fingerprint` of the cluster', maxLength: 100, example: '9d1c…' })
  fingerprint!: string;
}

export class RemoveExternalClusterDto {
  @QueryFlag({ description: 'Whether stored lines are deleted too. They otherwise stay for their retention' })
  logs?: boolean;
}

export class RemovedExternalClusterDto {
  @Field({ example: 'prod' })
  name!: string;

  @Field({ description: 'Always true: a failed removal is an error' })
  removed!: boolean;
}
