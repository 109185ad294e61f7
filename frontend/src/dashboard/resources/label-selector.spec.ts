import { describe, expect, it } from '@jest/globals';
import { matchesSelector, readSelector } from './label-selector';

const LABELS = { app: 'web', 'app.kubernetes.io/part-of': 'shop', tier: '' };

function matches(text: string): boolean {
  const selector = readSelector(text);
  if (!selector) throw new Error(`${text} is not a selector.`);
  return matchesSelector(LABELS, selector);
}

describe('readSelector and matchesSelector', () => {
  it.each([
    '',
    'app=web',
    'app==web',
    'app = web , tier=',
    'app!=api',
    'missing!=x',
    'app in (api, web)',
    'missing notin (a)',
    'app',
    '!missing',
    'app.kubernetes.io/part-of=shop,app notin (api,db)',
  ])('matches “%s”', (text) => {
    expect(matches(text)).toBe(true);
  });

  it.each(['app=api', 'app!=web', 'missing=x', 'app notin (api, web)', '!app', 'missing', 'toString'])(
    'does not match “%s”',
    (text) => {
      expect(matches(text)).toBe(false);
    },
  );

  it.each(['app=', 'app=a b', '=web', 'app in api', 'app in (a,b', 'app>1', ',', '-app'])(
    'accepts “%s” only if it is valid',
    (text) => {
      // An empty value is valid.
      expect(readSelector(text) !== undefined).toBe(text === 'app=');
    },
  );
});
