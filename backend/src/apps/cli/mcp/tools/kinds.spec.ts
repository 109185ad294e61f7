import { describe, expect, it } from '@jest/globals';
import { typeParams } from './kinds.js';

describe('typeParams', () => {
  const type = { group: 'core', version: 'v1', plural: 'pods', kind: 'Pod', short_names: ['po'] };
  const find = (kind: string, ...types: object[]): ReturnType<typeof typeParams> =>
    typeParams({ get: () => Promise.resolve(types) } as never, { cluster: 'shop' }, kind);

  it('finds a type that the cluster serves by its names', async () => {
    for (const kind of ['pods', 'Pod', 'po', 'pods.core', 'core/v1/pods']) {
      expect(await find(kind, type)).toMatchObject({ group: 'core', version: 'v1', plural: 'pods' });
    }
  });

  it.each(['group', 'version', 'plural'])('ignores a type whose %s is no part of a path', async (part) => {
    await expect(find('Pod', { ...type, [part]: '..' })).rejects.toThrow('does not serve the kind Pod');
    expect(await find('Pod', { ...type, [part]: '..' }, type)).toMatchObject({ plural: 'pods' });
  });
});
