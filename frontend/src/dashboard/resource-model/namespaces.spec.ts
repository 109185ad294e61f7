import { afterEach, describe, expect, it } from '@jest/globals';
import { isShown, parseNamespaces, readNamespaces, saveNamespaces } from './namespaces';

const KEY = { name: 'staging', runtime: 'docker' };

describe('parseNamespaces', () => {
  it.each([
    [null, null],
    ['', []],
    ['web,shop,web', ['shop', 'web']],
    ['shop,../x,Shop,-a', ['shop']],
    [Array.from({ length: 30 }, (_, index) => `n${index}`).join(), { length: 20 }],
  ])('reads %s', (text, namespaces) => {
    if (namespaces === null) expect(parseNamespaces(text)).toBeNull();
    else expect(parseNamespaces(text)).toMatchObject(namespaces);
  });
});

describe('saveNamespaces', () => {
  afterEach(() => localStorage.clear());

  it('keeps a choice per cluster and engine until all namespaces are chosen', () => {
    saveNamespaces(KEY, ['shop', 'web']);
    expect(readNamespaces(KEY)).toEqual(['shop', 'web']);
    expect(readNamespaces({ ...KEY, runtime: 'podman' })).toEqual([]);
    saveNamespaces(KEY, []);
    expect(readNamespaces(KEY)).toEqual([]);
  });

  it('ignores what is no list of namespaces', () => {
    localStorage.setItem('slipway.namespaces.docker/staging', '["shop", 3, "<b>"]');
    expect(readNamespaces(KEY)).toEqual(['shop']);
    localStorage.setItem('slipway.namespaces.docker/staging', '{');
    expect(readNamespaces(KEY)).toEqual([]);
  });
});

describe('isShown', () => {
  it('shows the chosen namespaces, and objects without one', () => {
    expect(['shop', 'web', null].map((namespace) => isShown(['shop'], namespace))).toEqual([
      true,
      false,
      true,
    ]);
    expect(isShown([], 'web')).toBe(true);
  });
});
