import type { ServerResponse } from 'node:http';
import { Injectable } from '@nestjs/common';
import { DomainError } from '../../core/errors/index.js';

const MOST_AT_ONCE = 16;

/**
 * How many answers may be looked for by regular expressions at once. One that explodes keeps a thread for a while: of
 * more of them, others would wait for too long.
 */
@Injectable()
export class RegexLimit {
  private atWork = 0;

  /**
   * Counts what is asked for by an expression, until its answer has ended.
   * @throws DomainError `too_many_requests`
   */
  admit({ regex }: { regex: boolean }, response: ServerResponse): void {
    if (!regex) return;
    if (this.atWork >= MOST_AT_ONCE) {
      throw new DomainError(
        'too_many_requests',
        `${MOST_AT_ONCE} searches by regular expressions are at work already. Wait until one of them has ended, or search for plain text.`,
      );
    }
    this.atWork += 1;
    response.once('close', () => (this.atWork -= 1));
  }
}
