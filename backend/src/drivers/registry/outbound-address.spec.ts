import { describe, expect, it } from '@jest/globals';
import { isInternal, problemOfAddress } from './outbound-address.js';

describe('isInternal', () => {
  it.each([
    '127.0.0.1',
    '127.8.9.1',
    '0.0.0.0',
    '10.1.2.3',
    '172.31.0.1',
    '192.168.1.1',
    '169.254.169.254',
    '100.64.0.1',
    '224.0.0.1',
    '::1',
    '::',
    'fe80::1',
    'fd00::1',
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '64:ff9b::7f00:1',
    '::7f00:1',
    '::127.0.0.1',
    '2002:7f00:1::',
    '2001:0:7f00:1::1',
    'fec0::1',
    'no-address',
  ])('is true for %s', (address) => {
    expect(isInternal(address)).toBe(true);
  });

  it.each(['1.1.1.1', '172.32.0.1', '8.8.8.8', '2001:4860:4860::8888', '2606:4700::1111'])(
    'is false for %s',
    (address) => {
      expect(isInternal(address)).toBe(false);
    },
  );
});

describe('problemOfAddress', () => {
  it.each([
    ['https://127.0.0.1/charts', 'points to this host'],
    ['https://[::1]/charts', 'points to this host'],
    ['https://2130706433/charts', 'points to this host'],
    ['https://localhost:8443/charts', 'points to this host'],
    ['https://a.localhost/', 'points to this host'],
    ['oci://10.0.0.1/charts', 'points to this host'],
    ['http://1.1.1.1/charts', 'must start with https://'],
    ['file:///etc/passwd', 'must start with https://'],
    ['https://me:secret@1.1.1.1/', 'a user name or password'],
  ])('rejects %s', async (url, words) => {
    expect(await problemOfAddress(new URL(url), [])).toContain(words);
  });

  it('accepts external addresses and allowed hosts', async () => {
    expect(await problemOfAddress(new URL('https://1.1.1.1/charts'), [])).toBeNull();
    expect(await problemOfAddress(new URL('http://127.0.0.1:8879/'), ['127.0.0.1:8879'])).toBeNull();
    expect(await problemOfAddress(new URL('http://127.0.0.1:8880/'), ['127.0.0.1:8879'])).toContain(
      'https://',
    );
  });

  it('resolves names', async () => {
    expect(await problemOfAddress(new URL('https://localhost./'), [])).toContain('points to this host');
  });
});
