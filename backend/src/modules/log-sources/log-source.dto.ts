import { Field, NullableField } from '../../core/api/index.js';
import { SOURCE_KINDS, type SourceKind } from '../../drivers/log-store/index.js';
import { SOURCE_STATES, type SourceState } from './source-state.js';

export class LogSourceDto {
  @Field({ description: 'Stable as long as lines of the source are stored', example: 17 })
  id!: number;

  @Field({ description: 'Stable key, also across restarts', example: 'container/docker/4f1c…' })
  key!: string;

  @Field({ enum: SOURCE_KINDS, enumName: 'SourceKind' })
  kind!: SourceKind;

  @Field({ example: 'docker' })
  runtime!: string;

  @NullableField(String, { example: 'payments-dev' })
  cluster!: string | null;

  @NullableField(String, { example: 'payments' })
  namespace!: string | null;

  @NullableField(String, { description: 'Kind and name of the workload', example: 'Deployment/payments-api' })
  workload!: string | null;

  @Field({ description: 'Name of the container, pod or node', example: 'payments-api-7d9f8b6c54-x2lqp' })
  name!: string;

  @NullableField(String, {
    description: 'Name of the container in the pod; null for the only one',
    example: 'api',
  })
  container!: string | null;

  @NullableField(String, { description: 'Role of the container: main, init or ephemeral', example: 'init' })
  role!: string | null;

  @NullableField(String, { description: 'Service of the node', example: 'kubelet' })
  service!: string | null;

  @NullableField(Number, {
    description: 'Number of a previous instance, counted from 0; null for the current one',
    example: null,
  })
  previous!: number | null;

  @Field({ enum: SOURCE_STATES, enumName: 'SourceState' })
  state!: SourceState;

  @NullableField(String, { description: 'Why the source is not live', example: null })
  reason!: string | null;

  @Field({ description: 'Number of the oldest stored line', example: 1 })
  first_seq!: number;

  @Field({ description: 'Number of the next line', example: 4213 })
  next_seq!: number;

  @Field({ description: 'Bytes of stored text', example: 812_331 })
  bytes!: number;

  @NullableField(String, { example: '2026-11-21T09:40:56.804512Z' })
  first_time!: string | null;

  @NullableField(String, { example: '2026-11-21T09:44:02.117003Z' })
  last_time!: string | null;

  @Field({ description: 'Lines per second over the last 10 s', example: 204 })
  rate!: number;
}
