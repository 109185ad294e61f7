import { Field, NestedField, NullableField } from '../../core/api/index.js';

export class KnownCauseDto {
  @Field({ example: 'Deployment' })
  kind!: string;

  @NullableField(String, { example: 'shop' })
  namespace!: string | null;

  @Field({ example: 'mailer' })
  name!: string;

  @Field({ format: 'date-time', description: 'Since when it does not work', example: '2026-11-21T09:26:44Z' })
  since!: string;

  @Field({ description: 'One sentence', example: 'Container mailer exited with code 1 after 4 restarts.' })
  message!: string;

  @Field({ description: 'What to do', example: 'Read the log of the previous instance.' })
  next_step!: string;
}

export class SourceCauseDto {
  @Field({ description: 'False if the dashboard runs in another process', example: true })
  known!: boolean;

  @NestedField(() => KnownCauseDto, { nullable: true })
  cause!: KnownCauseDto | null;
}
