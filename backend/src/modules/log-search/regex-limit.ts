import type { ServerResponse } from 'node:http';
import { Injectable } from '@nestjs/common';
import { whenClosed } from '../../core/api/index.js';
import { DomainError } from '../../core/errors/index.js';
import { hasRegex } from '../../core/search/index.js';

const MAX_CONCURRENT = 16;

/**
 * Limits concurrent regex searches. A regex with catastrophic backtracking occupies a thread for a while, so too many
 * would block others.
 */
@Injectable()
export class RegexLimit {
  /** Of the process: both applications search in the same threads. */
  private static running = 0;

  /**
   * Counts a regex search until its response closes.
   * @throws DomainError `too_many_requests`
   */
  admit({ regex, query = '' }: { regex: boolean; query?: string }, response: ServerResponse): void {
    if (!regex && !hasRegex(query)) return;
    if (RegexLimit.running >= MAX_CONCURRENT) {
      throw new DomainError(
        'too_many_requests',
        `${MAX_CONCURRENT} regex searches are already running. Wait until one has ended, or search for plain text.`,
      );
    }
    RegexLimit.running += 1;
    whenClosed(response, () => (RegexLimit.running -= 1));
  }
}
