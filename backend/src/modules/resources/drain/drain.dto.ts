import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsBoolean, IsInt, Max, Min } from 'class-validator';
import { Optional } from '../../../core/api/index.js';

const MAX_GRACE_SECONDS = 3600;
const MIN_TIMEOUT_SECONDS = 5;
const MAX_TIMEOUT_SECONDS = 3600;
export const DRAIN_TIMEOUT_SECONDS = 300;

export class DrainDto {
  @ApiPropertyOptional({
    default: false,
    description: 'Also evict pods with emptyDir volumes, whose data is lost',
  })
  @Optional()
  @IsBoolean({ message: 'must be true or false' })
  delete_emptydir_data?: boolean;

  @ApiPropertyOptional({
    default: false,
    description: 'Also evict pods that are not recreated',
  })
  @Optional()
  @IsBoolean({ message: 'must be true or false' })
  force?: boolean;

  @ApiPropertyOptional({
    type: Number,
    minimum: 0,
    maximum: MAX_GRACE_SECONDS,
    example: 30,
    description: 'Seconds for each pod to terminate. Default: the setting of the pod',
  })
  @Optional()
  @IsInt({ message: 'must be a whole number' })
  @Min(0, { message: 'must not be negative' })
  @Max(MAX_GRACE_SECONDS, { message: `must be at most ${MAX_GRACE_SECONDS}` })
  grace_period_seconds?: number;

  @ApiPropertyOptional({
    type: Number,
    minimum: MIN_TIMEOUT_SECONDS,
    maximum: MAX_TIMEOUT_SECONDS,
    default: DRAIN_TIMEOUT_SECONDS,
    description: 'Seconds to wait for disruption budgets and pods',
  })
  @Optional()
  @IsInt({ message: 'must be a whole number' })
  @Min(MIN_TIMEOUT_SECONDS, { message: `must be at least ${MIN_TIMEOUT_SECONDS}` })
  @Max(MAX_TIMEOUT_SECONDS, { message: `must be at most ${MAX_TIMEOUT_SECONDS}` })
  timeout_seconds?: number;
}
