import { describe, expect, it } from '@jest/globals';
import { NameQuery } from './name-query.js';

const DEPLOYMENTS = { kind: 'Deployment', plural: 'deployments', shortNames: ['deploy'] };
const PODS = { kind: 'Pod', plural: 'pods', shortNames: ['po'] };

function fitOf(
  text: string,
  name: string,
  kind = PODS,
  namespace: string | null = 'shop',
): number | undefined {
  return new NameQuery(text).matcher(kind)({ namespace, name });
}

describe('NameQuery', () => {
  it.each([
    ['web', 'web', 0],
    ['WEB', 'web', 0],
    ['web', 'web-0', 1],
    ['0', 'web-0', 2],
    ['eb', 'web-0', 3],
    ['admin', 'system:admin', 2],
    ['db', 'web-0', undefined],
    ['  web   0 ', 'web-0', 1],
    ['web 1', 'web-0', undefined],
    ['shop/web', 'web-0', 1],
    ['shop/', 'web-0', 1],
    ['blog/web', 'web-0', undefined],
  ])('%j matches %s: %s', (text, name, expected) => {
    expect(fitOf(text, name)).toBe(expected);
  });

  it('accepts a kind in the query', () => {
    expect(fitOf('deploy web', 'web', DEPLOYMENTS)).toBe(0);
    expect(fitOf('web Deployment', 'web', DEPLOYMENTS)).toBe(0);
    expect(fitOf('deploy web', 'web', PODS)).toBeUndefined();
    // Alone it is a name like others.
    expect(fitOf('deploy', 'deploy-agent', DEPLOYMENTS)).toBe(1);
    expect(fitOf('deploy', 'web', DEPLOYMENTS)).toBeUndefined();
  });

  it('is empty for blank text', () => {
    expect(new NameQuery('  ').isEmpty).toBe(true);
    expect(new NameQuery('a').isEmpty).toBe(false);
  });
});
