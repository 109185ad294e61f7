import { describe, expect, it } from '@jest/globals';
import type { ApiClient } from '../client/api-client.js';
import { redirectPage, signInLink } from './open.js';

describe('signInLink', () => {
  const link = (token: string): Promise<string> =>
    signInLink({
      send: () => Promise.resolve({ token }),
      server: { url: 'http://here' },
    } as never as ApiClient);

  it('has the token of the server', async () => {
    expect(await link('a_Z-'.repeat(8))).toBe(`http://here/login#link=${'a_Z-'.repeat(8)}`);
  });

  it.each(['x"><script>alert(1)</script>', '', 'short', `${'a'.repeat(32)}\n`])(
    'rejects %j of a server',
    async (token) => {
      await expect(link(token)).rejects.toThrow('The response of the server is not a sign-in link.');
    },
  );
});

it('redirectPage escapes the address', () => {
  expect(redirectPage('http://x/"><script>&')).toContain(
    'content="0;url=http://x/&#34;&#62;&#60;script&#62;&#38;">',
  );
});
