import { describe, expect, it } from '@jest/globals';
import { fits, readCommand } from './object-commands';

describe('readCommand', () => {
  it.each([
    ['Undo rollout web', ['undo'], 'web'],
    ['undo web', ['undo'], 'web'],
    ['Expose web', ['expose'], 'web'],
    ['rest web', ['restart'], 'web'],
    ['Change image of web', ['change-image'], 'web'],
    ['change image web', ['change-image'], 'web'],
    ['run cronjob nightly-totals', ['run'], 'nightly-totals'],
    ['run nightly', ['run'], 'nightly'],
    ['Shell web-7f', ['shell'], 'web-7f'],
    ['files of web-7f', ['files'], 'web-7f'],
    ['Forward api', ['forward'], 'api'],
    ['shell job 8080', ['shell'], 'job 8080'],
  ])('finds in %j %j of %s', (text, actions, name) => {
    const read = readCommand(text);
    expect([read?.commands.map(({ action }) => action), read?.name]).toEqual([actions, name]);
  });

  it.each(['forward api 8080', 'for api:8080'])('reads a port from %j', (text) => {
    expect(readCommand(text)).toMatchObject({ name: 'api', port: 8080 });
  });

  it.each(['', 'web', 'restart', 'restart w', 're web', 'web restart'])('finds no command in %j', (text) => {
    expect(readCommand(text)).toBeUndefined();
  });

  it('offers a command only for objects of its kinds', () => {
    const found = {
      cluster: 'a',
      runtime: 'docker',
      version: 'v1',
      kind: 'Any',
      namespace: 'shop',
      name: 'web',
    };
    const [undo] = readCommand('undo rollout web')?.commands ?? [];
    const fitting = (group: string, plural: string): boolean | undefined =>
      undo && fits(undo, { ...found, group, plural });
    expect([fitting('apps', 'deployments'), fitting('core', 'pods')]).toEqual([true, false]);
  });
});
