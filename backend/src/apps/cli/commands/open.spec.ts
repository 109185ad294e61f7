import { readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { temporaryFolder } from '../../../../../test/support/server/server-process.js';
import type { ApiClient } from '../client/api-client.js';
import { redirectPage, removeLeftovers, signInLink } from './open.js';

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

it('removeLeftovers removes pages of open older than a minute, and nothing else', async () => {
  const { path, remove } = await temporaryFolder();
  const [old, recent] = ['a', 'b'].map((letter) => `open-${letter.repeat(16)}.html`);
  for (const [name, seconds] of [
    [old, 61],
    [recent, 50],
    ['open-mine.html', 3600],
  ] as const) {
    const at = new Date(Date.now() - seconds * 1000);
    writeFileSync(join(path, name ?? ''), '');
    utimesSync(join(path, name ?? ''), at, at);
  }
  await removeLeftovers(path);
  expect(readdirSync(path).sort()).toEqual([recent, 'open-mine.html']);
  await removeLeftovers(join(path, 'missing'));
  await remove();
});
