import { afterEach, describe, expect, it } from '@jest/globals';
import { isFavorite, keptObject, readKept, rememberOpened, toggleFavorite } from './kept-objects';

const KEY = { name: 'staging', runtime: 'docker' };
const PODS = { group: 'core', version: 'v1', plural: 'pods', namespace: 'shop' };
const WEB = keptObject(KEY, { ...PODS, name: 'web-0' }, 'Pod');

afterEach(() => localStorage.clear());

describe('toggleFavorite', () => {
  it('adds and removes an object of one cluster', () => {
    const elsewhere = { ...WEB, cluster: 'other' };
    expect([toggleFavorite(WEB), toggleFavorite(elsewhere)]).toEqual([true, true]);
    expect(toggleFavorite(WEB)).toBe(false);
    expect([isFavorite(WEB), isFavorite(elsewhere)]).toEqual([false, true]);
  });
});

describe('rememberOpened', () => {
  it('keeps the last 10 objects, the newest first and each once', () => {
    for (let index = 0; index < 12; index += 1) rememberOpened({ ...WEB, name: `web-${index}` });
    rememberOpened({ ...WEB, name: 'web-5' });
    const names = readKept('recent').map(({ name }) => name);
    expect(names).toHaveLength(10);
    expect(names.slice(0, 3)).toEqual(['web-5', 'web-11', 'web-10']);
  });

  it('ignores what is no object', () => {
    localStorage.setItem('slipway.recent-objects', JSON.stringify([WEB, null, 'x', { name: 'web-0' }]));
    expect(readKept('recent')).toEqual([WEB]);
  });
});
