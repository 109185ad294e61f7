import { QueryFlag, RuntimeQueryDto } from '../../../core/api/index.js';

export class StartQueryDto extends RuntimeQueryDto {
  @QueryFlag({
    description:
      'Starts the existing nodes although `config_changed` is set, and leaves it set: nothing is deleted, and the changed config waits',
  })
  keep_nodes: boolean = false;
}
