import { QueryFlag, RuntimeQueryDto } from '../../../core/api/index.js';

export class DeleteQueryDto extends RuntimeQueryDto {
  @QueryFlag({ description: 'Waits up to 30 s for the job. Otherwise responds 202 at once.', default: true })
  wait: boolean = true;
}
