import { DomainError } from '../../core/errors/index.js';
import type { LogQuery } from '../../drivers/log-store/index.js';

/** The error of a search that timed out. */
export function tookTooLong({ regex }: Pick<LogQuery, 'regex'>): DomainError {
  return new DomainError(
    'search_timeout',
    regex
      ? 'The regex took too long and was stopped. Choose a shorter period or fewer sources, or search for plain text.'
      : 'The search took too long and was stopped. Choose a shorter period or fewer sources.',
  );
}
