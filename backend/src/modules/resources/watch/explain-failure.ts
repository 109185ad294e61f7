import { DomainError, reasonOf } from '../../../core/errors/index.js';
import type { AppLogger } from '../../../core/logging/index.js';
import type { BlockErrorDto } from '../common/resource.dto.js';

/** Turns an error into a message for viewers of a feed. Logs errors that are not DomainErrors. */
export function explainFailure(error: unknown, what: string, logger: AppLogger): BlockErrorDto {
  if (error instanceof DomainError) return { code: error.code, message: error.message };
  logger.failure(`could not read ${what}`, error);
  return {
    code: 'cluster_unreachable',
    message: `Could not read ${what}: ${reasonOf(error)}.`,
  };
}
