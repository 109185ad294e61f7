import { describe, expect, it, jest } from '@jest/globals';
import type { Configuration } from '../../core/config/index.js';
import { DomainError } from '../../core/errors/index.js';
import type { AppLogger } from '../../core/logging/index.js';
import type { Secrets } from '../../core/secrets/index.js';
import type { SessionsService } from './sessions.service.js';
import type { SignInJournal } from './sign-in-journal.js';
import type { AccessTokensService } from './access-tokens/access-tokens.service.js';
import { SignInLimits } from './sign-in-limits.js';
import { SignInService } from './sign-in.service.js';

const LOGGER = { warning: () => undefined, info: () => undefined };

describe('SignInService', () => {
  it('reports the wait after the fifth failed attempt, and records attempts during the wait as failed', async () => {
    // The wait starts with the attempt; on a slow machine it could be over before the next one.
    jest.useFakeTimers();
    const failed: string[] = [];
    const service = new SignInService(
      { values: { user: 'admin' } } as unknown as Configuration,
      { passwordHash: 'hash', viewer: {} } as unknown as Secrets,
      { matches: () => Promise.resolve(false) } as never,
      {} as unknown as SessionsService,
      {} as unknown as AccessTokensService,
      new SignInLimits(),
      { failed: (address: string) => void failed.push(address) } as unknown as SignInJournal,
      LOGGER as unknown as AppLogger,
    );
    const details: unknown[] = [];
    for (let attempt = 0; attempt < 5; attempt += 1) {
      await service
        .signIn({ username: 'admin', password: 'no', address: '192.0.2.1', userAgent: '' })
        .catch((error: unknown) => {
          if (!(error instanceof DomainError) || error.code !== 'unauthorized') throw error;
          details.push(error.details ?? null);
        });
    }
    expect(details).toEqual([null, null, null, null, { retry_after_seconds: 1 }]);
    const early = service.signIn({ username: 'admin', password: 'no', address: '192.0.2.1', userAgent: '' });
    await expect(early).rejects.toMatchObject({ code: 'too_many_requests' });
    expect(failed).toEqual(Array.from({ length: 6 }, () => '192.0.2.1'));
    jest.useRealTimers();
  });
});
