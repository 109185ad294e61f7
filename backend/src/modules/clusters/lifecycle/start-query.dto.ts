import { QueryFlag, RuntimeQueryDto } from '../../../core/api/index.js';

export class StartQueryDto extends RuntimeQueryDto {
  @QueryFlag({
    description:
      'Starts the existing nodes even if `config_changed` is set. Deletes nothing and does not apply the config change.',
  })
  keep_nodes: boolean = false;
}
