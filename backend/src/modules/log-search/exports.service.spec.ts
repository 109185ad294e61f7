import { describe, expect, it } from '@jest/globals';
import type { SourceRegistry } from '../log-sources/index.js';
import { ExportsService } from './exports.service.js';

describe('ExportsService', () => {
  const identities = [
    { name: 'web-0', container: 'nginx', service: null },
    { name: 'staging-worker', container: null, service: null },
  ];
  const registry = {
    all: () => identities.map((identity, index) => ({ id: index + 1, identity })),
    find: (id: number) => ({ id, identity: identities[id - 1] }),
  } as unknown as SourceRegistry;
  const exports = new ExportsService({} as never, registry);

  it.each([
    ['1', 'web-0/nginx'],
    ['2,2', 'staging-worker'],
    ['1,2', '2 sources'],
    [undefined, '2 sources'],
  ])('describes the sources %s as %s', (sources, text) => {
    expect(exports.describeSources({ sources, format: 'text' } as never)).toBe(text);
  });
});
