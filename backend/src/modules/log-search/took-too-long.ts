import { DomainError } from '../../core/errors/index.js';
import type { LogQuery } from '../../drivers/log-store/index.js';

/** Why the lines of a query are not all found. */
export function tookTooLong({ regex }: Pick<LogQuery, 'regex'>): DomainError {
  return new DomainError(
    'search_timeout',
    regex
      ? 'The expression took too long for these lines, and was stopped. Choose a shorter period or fewer sources, or search for plain text.'
      : 'The search of these lines took too long, and was stopped. Choose a shorter period or fewer sources.',
  );
}
