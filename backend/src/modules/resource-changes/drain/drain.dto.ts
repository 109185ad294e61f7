import { Flag, OptionalInteger } from '../../../core/api/index.js';

const MAX_GRACE_SECONDS = 3600;
const MIN_TIMEOUT_SECONDS = 5;
const MAX_TIMEOUT_SECONDS = 3600;
export const DRAIN_TIMEOUT_SECONDS = 300;

export class DrainDto {
  @Flag({ description: 'Also evict pods with emptyDir volumes, whose data is lost' })
  delete_emptydir_data?: boolean;

  @Flag({ description: 'Also evict pods that are not recreated' })
  force?: boolean;

  @OptionalInteger({
    description: 'Seconds for each pod to terminate. Default: the setting of the pod',
    minimum: 0,
    maximum: MAX_GRACE_SECONDS,
    example: 30,
  })
  grace_period_seconds?: number;

  @OptionalInteger({
    description: 'Seconds to wait for disruption budgets and pods',
    minimum: MIN_TIMEOUT_SECONDS,
    maximum: MAX_TIMEOUT_SECONDS,
    default: DRAIN_TIMEOUT_SECONDS,
  })
  timeout_seconds?: number;
}
