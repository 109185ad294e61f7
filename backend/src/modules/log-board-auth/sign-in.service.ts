import { createHash, timingSafeEqual } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { Configuration } from '../../core/config/index.js';
import { DomainError } from '../../core/errors/index.js';
import { AppLogger } from '../../core/logging/index.js';
import { Secrets } from '../../core/secrets/index.js';
import { PasswordCheck } from './password-check.js';
import { unauthorized, SessionsService, type BegunSession } from './sessions.service.js';
import { SignInJournal } from './sign-in-journal.js';
import { SignInLimits, type Trier } from './sign-in-limits.js';

/** Sign-ins under way, each with a slow hash behind it. */
const MOST_AT_ONCE = 20;

export interface SignInTry {
  username: string;
  password: string;
  address: string;
  /** Id of the known browser that it comes from. */
  browser?: string | undefined;
  userAgent: string;
}

/** Turns a user name and a password into a session. */
@Injectable()
export class SignInService {
  private readonly logger: AppLogger;
  private underWay = 0;

  constructor(
    private readonly configuration: Configuration,
    private readonly secrets: Secrets,
    private readonly passwords: PasswordCheck,
    private readonly sessions: SessionsService,
    private readonly limits: SignInLimits,
    private readonly journal: SignInJournal,
    logger: AppLogger,
  ) {
    this.logger = logger.child({ context: SignInService.name });
  }

  /** @throws DomainError `unauthorized` or `too_many_requests` */
  async signIn({ username, password, address, browser, userAgent }: SignInTry): Promise<BegunSession> {
    const trier = { address, browser };
    const slowness = this.admit(trier, username);
    this.underWay += 1;
    try {
      if (slowness > 0) await delay(slowness);
      // One hash, whether the name is right or not: the time of the answer tells nothing.
      const right = await this.passwords.matches(password, this.secrets.passwordHash);
      if (!(sameText(username, this.configuration.values.user) && right)) {
        // Not the name: people type their password into its field.
        this.logger.warning('a sign-in was refused', { address });
        this.journal.failed(address);
        throw unauthorized(this.limits.waitOf(trier));
      }
    } finally {
      this.underWay -= 1;
    }
    this.limits.succeeded(trier, username);
    const begun = this.sessions.begin({ address, userAgent });
    this.journal.signedIn(begun.session, 'password');
    this.logger.info('signed in', { address, session: begun.session.id.slice(0, 6) });
    return begun;
  }

  /** What the limits refuse is a failed sign-in too. @throws DomainError `too_many_requests` */
  private admit(trier: Trier, username: string): number {
    try {
      // Not for known browsers, whose own limit bounds them: others could keep all places taken.
      if (trier.browser === undefined && this.underWay >= MOST_AT_ONCE) {
        throw new DomainError(
          'too_many_requests',
          'Too many people are signing in just now. Try again in a second.',
          { retry_after_seconds: 1 },
        );
      }
      return this.limits.begin(trier, username);
    } catch (error) {
      this.journal.failed(trier.address);
      throw error;
    }
  }
}

/** In a time that does not depend on where they differ. */
function sameText(one: string, other: string): boolean {
  const [first, second] = [one, other].map((text) => createHash('sha256').update(text).digest());
  return first !== undefined && second !== undefined && timingSafeEqual(first, second);
}
