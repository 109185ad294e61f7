import { Field } from '../../core/api/index.js';
import { SOURCE_KINDS, type SourceKind } from '../../drivers/log-store/index.js';
import { SOURCE_STATES, type SourceState } from './source-state.js';

/** A source of lines, as the API tells it. */
export class LogSourceDto {
  @Field({ description: 'Stays as long as anything of it is kept', example: 17 })
  id!: number;

  @Field({ description: 'What it is, over restarts', example: 'container/docker/4f1c…' })
  key!: string;

  @Field({ enum: SOURCE_KINDS, enumName: 'SourceKind' })
  kind!: SourceKind;

  @Field({ example: 'docker' })
  runtime!: string;

  @Field({ type: String, nullable: true, example: 'payments-dev' })
  cluster!: string | null;

  @Field({ type: String, nullable: true, example: 'payments' })
  namespace!: string | null;

  @Field({
    type: String,
    nullable: true,
    description: 'Kind and name of what it runs for',
    example: 'Deployment/payments-api',
  })
  workload!: string | null;

  @Field({ description: 'Container, pod or node', example: 'payments-api-7d9f8b6c54-x2lqp' })
  name!: string;

  @Field({ type: String, nullable: true, description: 'Container of a pod', example: 'api' })
  container!: string | null;

  @Field({ type: String, nullable: true, description: 'What that container is for', example: 'init' })
  role!: string | null;

  @Field({ type: String, nullable: true, description: 'Service of a node', example: 'kubelet' })
  service!: string | null;

  @Field({
    type: Number,
    nullable: true,
    description: 'Number of an instance that ended, counted from 0; null for the newest',
    example: null,
  })
  previous!: number | null;

  @Field({ enum: SOURCE_STATES, enumName: 'SourceState' })
  state!: SourceState;

  @Field({ type: String, nullable: true, description: 'Why, where it is not live', example: null })
  reason!: string | null;

  @Field({ description: 'Oldest line that is kept', example: 1 })
  first_seq!: number;

  @Field({ description: 'Number that the next line will have', example: 4213 })
  next_seq!: number;

  @Field({ description: 'Bytes of text that are kept', example: 812_331 })
  bytes!: number;

  @Field({ type: String, nullable: true, example: '2026-11-21T09:40:56.804512Z' })
  first_time!: string | null;

  @Field({ type: String, nullable: true, example: '2026-11-21T09:44:02.117003Z' })
  last_time!: string | null;

  @Field({ description: 'Lines a second over the last ten', example: 204 })
  rate!: number;
}
