import { DomainError, reasonOf } from '../../../core/errors/index.js';
import type { AppLogger } from '../../../core/logging/index.js';
import type { BlockErrorDto } from '../resource.dto.js';

/** Why something could not be read, for who looks on; nobody waits there for an error that could be thrown. */
export function explainFailure(error: unknown, what: string, logger: AppLogger): BlockErrorDto {
  if (error instanceof DomainError) return { code: error.code, message: error.message };
  logger.failure(`${what} could not be read`, error);
  return {
    code: 'cluster_unreachable',
    message: `What the cluster says of ${what} cannot be read: ${reasonOf(error)}.`,
  };
}
