import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { served, unserved } from '../api/base-path';
import { goToSignIn, returnUrl } from './return-url';

const ORIGIN = 'http://localhost:9001';

function backTo(next: string): string {
  return returnUrl(`?${new URLSearchParams({ next }).toString()}`, '/logs', ORIGIN);
}

describe('returnUrl', () => {
  it('is the requested page with query and fragment', () => {
    expect(backTo('/logs?source=a%20b&x=1#l5')).toBe('/logs?source=a%20b&x=1#l5');
    expect(backTo('/sessions')).toBe('/sessions');
  });

  it('is the home page without a requested page, or if that is the sign-in page', () => {
    expect(returnUrl('', '/logs', ORIGIN)).toBe('/logs');
    expect(backTo('')).toBe('/logs');
    expect(backTo('/login?next=%2Flogs')).toBe('/logs');
  });

  it.each([
    'https://evil.example/',
    'HTTPS:evil.example',
    '/.//evil.example',
    '/..//evil.example',
    '/logs/..//evil.example',
    '/./\\evil.example',
    '/.//evil.example:9001@evil.example',
    '/%2f%2fevil.example',
    '%2f%2fevil.example',
    '/%5cevil.example',
    '/%09/evil.example',
    '//localhost:9001@evil.example',
    '///evil.example',
    ' //evil.example',
    '\u0000//evil.example',
    '/\r/evil.example',
    'data:text/html,x',
    'blob:http://localhost:9001/x',
    '//evil.example/',
    '/..//evil.example/',
    '/.//evil.example/',
    '/logs/..//evil.example/',
    '/%2e%2e//evil.example/',
    '/..\\evil.example/',
    '/\\evil.example/',
    '/\t/evil.example/',
    '\\\\evil.example',
    'javascript:alert(1)',
    'logs',
    'http:evil.example',
    '/\n/evil.example',
  ])('never leads outside: %j', (next) => {
    const target = backTo(next);
    expect(new URL(target, `${ORIGIN}/login`).origin).toBe(ORIGIN);
    expect(new URL(backTo(target), ORIGIN).origin).toBe(ORIGIN);
    expect(target.startsWith('/')).toBe(true);
    expect(target.startsWith('//')).toBe(false);
  });
});

describe('goToSignIn', () => {
  afterEach(() => document.querySelector('base')?.remove());

  it.each([
    ['/', '/jobs', '/login?next=%2Fjobs%3Fa%3D1'],
    ['/slipway/', '/slipway/jobs', '/slipway/login?next=%2Fjobs%3Fa%3D1'],
    ['/slipway/', '/slipway/login', undefined],
    ['/slipway/', '/slipways', '/slipway/login?next=%2Fslipways%3Fa%3D1'],
  ])('with the base URL %s leads from %s to %s', (base, pathname, address) => {
    document.head.append(Object.assign(document.createElement('base'), { href: base }));
    const assign = jest.fn();
    goToSignIn({ pathname, search: '?a=1', hash: '', assign } as unknown as Location);
    expect(assign.mock.calls).toEqual(address === undefined ? [] : [[address]]);
    expect(unserved(served('/clusters'))).toBe('/clusters');
  });
});
