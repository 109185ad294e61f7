import { setTimeout as delay } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { Configuration } from '../../core/config/index.js';
import { DomainError } from '../../core/errors/index.js';
import { AppLogger } from '../../core/logging/index.js';
import { Secrets } from '../../core/secrets/index.js';
import { isSameText, type TokenScope } from '../../core/security/index.js';
import { ACCESS_TOKEN } from './access-tokens/access-token.js';
import { AccessTokensService } from './access-tokens/access-tokens.service.js';
import { PasswordCheck } from './password-check.js';
import { SessionsService, type StartedSession } from './sessions.service.js';
import { unauthorized } from './tokens/secret-token.js';
import { SignInJournal } from './sign-in-journal.js';
import { SignInLimits, type SignInClient } from './sign-in-limits.js';

/** Concurrent sign-ins; each computes a slow hash. */
const MAX_CONCURRENT = 20;

export interface SignInAttempt {
  username: string;
  password: string;
  /** `full`: a sign-in that may only read is rejected. */
  scope?: TokenScope | undefined;
  address: string;
  browser?: string | undefined;
  userAgent: string;
}

@Injectable()
export class SignInService {
  private pending = 0;

  constructor(
    private readonly configuration: Configuration,
    private readonly secrets: Secrets,
    private readonly passwords: PasswordCheck,
    private readonly sessions: SessionsService,
    private readonly accessTokens: AccessTokensService,
    private readonly limits: SignInLimits,
    private readonly journal: SignInJournal,
    private readonly logger: AppLogger,
  ) {}

  /** @throws DomainError `unauthorized`, `insufficient_scope` or `too_many_requests` */
  async signIn(attempt: SignInAttempt): Promise<StartedSession> {
    const { username, password, address, browser, userAgent } = attempt;
    const client = { address, browser };
    const delayMs = this.admit(client, username);
    this.pending += 1;
    try {
      if (delayMs > 0) await delay(delayMs);
      // Each hash whether or not the name or the other one is right, so that the response time reveals nothing.
      const right = await this.passwords.matches(password, this.secrets.passwordHash);
      const { hash } = this.secrets.viewer;
      const isViewer = hash !== undefined && (await this.passwords.matches(password, hash));
      const display = ACCESS_TOKEN.test(password) ? this.accessTokens.findByToken(password) : undefined;
      if (display?.scope === 'read') {
        this.limits.revert(client, username);
        this.admitReader(attempt, 'an access token');
        const started = this.sessions.start({ address, userAgent }, { by: 'display', token: display });
        this.journal.openedDisplay(display, address);
        return started;
      }
      const isUser = isSameText(username, this.configuration.values.user);
      if (isUser && isViewer && !right) {
        // It says nothing about attempts on the other password before it.
        this.limits.revert(client, username);
        this.admitReader(attempt, 'the read-only password');
        const started = this.sessions.start({ address, userAgent }, { by: 'viewer', hash });
        this.journal.openedReadOnly(started.session);
        return started;
      }
      if (!(isUser && right)) {
        // Without the name: users sometimes type their password into that field.
        this.logger.warning('sign-in rejected', { address });
        this.journal.failed(address);
        throw unauthorized(this.limits.waitOf(client));
      }
    } finally {
      this.pending -= 1;
    }
    this.limits.succeeded(client, username);
    const started = this.sessions.start({ address, userAgent }, { by: 'password' });
    this.journal.signedIn(started.session, 'password');
    this.logger.info('signed in', { address, session: started.session.id.slice(0, 6) });
    return started;
  }

  /** A page must not replace a session of the user by one that may only read. @throws DomainError `insufficient_scope` */
  private admitReader({ scope, address }: SignInAttempt, what: string): void {
    if (scope !== 'full') return;
    this.journal.failed(address);
    throw new DomainError(
      'insufficient_scope',
      `This is ${what}. Enter the password of ${this.configuration.values.user}.`,
    );
  }

  /** Attempts that the limits reject are recorded as failed too. @throws DomainError `too_many_requests` */
  private admit(client: SignInClient, username: string): number {
    try {
      // Known browsers are exempt, as attackers could use up all slots. They have a limit of their own.
      if (client.browser === undefined && this.pending >= MAX_CONCURRENT) {
        throw new DomainError(
          'too_many_requests',
          'Too many sign-ins are in progress. Try again in a second.',
          { retry_after_seconds: 1 },
        );
      }
      return this.limits.start(client, username);
    } catch (error) {
      this.journal.failed(client.address);
      throw error;
    }
  }
}
