import { ApiPropertyOptional } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsBoolean } from 'class-validator';
import { Optional, RuntimeQueryDto } from '../../../core/api/index.js';
import { queryFlag } from '../../../core/api/query-flag.js';

export class StartQueryDto extends RuntimeQueryDto {
  @ApiPropertyOptional({
    description:
      'Starts the existing nodes although `config_changed` is set, and leaves it set: nothing is deleted, and the changed config waits',
    default: false,
  })
  @Optional()
  @Transform(queryFlag)
  @IsBoolean({ message: 'must be true or false' })
  keep_nodes: boolean = false;
}
