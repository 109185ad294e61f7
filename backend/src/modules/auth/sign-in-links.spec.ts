import { describe, expect, it } from '@jest/globals';
import { redact } from '../../core/logging/index.js';
import type { SessionsService } from './sessions.service.js';
import type { SignInJournal } from './sign-in-journal.js';
import { SignInLinks } from './sign-in-links.js';

describe('SignInLinks', () => {
  it.each(['link', 'ticket'])('masks the token of a %s until it is redeemed or dropped', (kind) => {
    const sessions = { start: () => ({ session: {} }) } as unknown as SessionsService;
    const journal = { signedIn: () => undefined } as unknown as SignInJournal;
    const links = new SignInLinks(sessions, journal);
    const issue = (): string => (kind === 'link' ? links.issue() : links.issueTicket(null));
    const dropped = issue();
    const tokens = Array.from({ length: 1000 }, issue);
    expect(redact(dropped)).toBe(dropped);
    expect(redact(tokens[0] ?? '')).toBe('[removed]');
    for (const token of tokens) links.redeem(token, { address: '::1', userAgent: '' });
    expect(tokens.filter((token) => redact(token) !== token)).toEqual([]);
  });
});
