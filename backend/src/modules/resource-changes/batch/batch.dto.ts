import { Field } from '../../../core/api/index.js';
import { ChangedResourceDto } from '../change/change.dto.js';

export class RunCronJobDto extends ChangedResourceDto {
  @Field({ description: 'Name of the Job', example: 'nightly-totals-manual-x2k7p' })
  job!: string;

  @Field()
  dry_run!: boolean;
}

export class SuspendedDto extends ChangedResourceDto {
  @Field({ description: 'Whether it is suspended after the change', example: true })
  suspended!: boolean;

  @Field()
  dry_run!: boolean;
}
