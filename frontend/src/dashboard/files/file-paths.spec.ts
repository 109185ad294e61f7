import { describe, expect, it } from '@jest/globals';
import { childOf, normalPath, parentOf, stepsOf } from './file-paths';

describe('paths of files', () => {
  it('have a step for each directory', () => {
    expect(stepsOf('/etc/nginx').map(({ name, path }) => `${name} ${path}`)).toEqual([
      '/ /',
      'etc /etc',
      'nginx /etc/nginx',
    ]);
    expect(stepsOf('/')).toHaveLength(1);
  });

  it('lead to children and back', () => {
    expect([childOf('/', 'etc'), childOf('/etc', 'hosts')]).toEqual(['/etc', '/etc/hosts']);
    expect([parentOf('/etc/hosts'), parentOf('/etc'), parentOf('/')]).toEqual(['/etc', '/', '/']);
  });

  it.each([
    ['etc//nginx/', '/etc/nginx'],
    ['/a/./b/../c', '/a/c'],
    ['/../..', '/'],
    ['', '/'],
  ])('are normal: %s', (typed, path) => {
    expect(normalPath(typed)).toBe(path);
  });
});
