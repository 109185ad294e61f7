import { gzipSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import { DomainError } from '../../../core/errors/index.js';
import { ResourceApi, type KubernetesObject } from '../../../drivers/kubernetes/index.js';
import { strictFake } from '../../../../../test/support/strict-fake.js';
import { keptCrds } from './kept-crds.js';

const RELEASE = { release: 'hull', namespace: 'yard', revision: 2 };
const CRD = { group: 'apiextensions.k8s.io', version: 'v1', kind: 'CustomResourceDefinition' };

const base64 = (text: string | Buffer): string => Buffer.from(text).toString('base64');
const crd = (name: string): string =>
  base64(`apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: ${name}}\n`);

function apiWith(files: { name: string; data: string }[] | null): () => Promise<ResourceApi> {
  const record = gzipSync(JSON.stringify({ name: 'hull', chart: { files } }));
  const api = strictFake(ResourceApi, {
    typeOfKind: () =>
      Promise.resolve({ ...CRD, plural: 'customresourcedefinitions', namespaced: false } as never),
    read: ({ plural, name }) => {
      const metadata = { name };
      if (name === 'sh.helm.release.v1.hull.v2' && plural === 'secrets') {
        const data = { release: base64(base64(record)) };
        return Promise.resolve({
          apiVersion: 'v1',
          kind: 'Secret',
          metadata,
          data,
        } as never as KubernetesObject);
      }
      if (name === 'gone.yard.test') return Promise.reject(new DomainError('resource_not_found', 'gone'));
      return Promise.resolve({ ...CRD, apiVersion: 'v1', metadata } as never as KubernetesObject);
    },
  });
  return () => Promise.resolve(api);
}

describe('keptCrds', () => {
  it('lists the CRDs of the crds folder that exist', async () => {
    const files = [
      { name: 'crds/hull.yaml', data: crd('hulls.yard.test') },
      { name: 'crds/gone.yaml', data: crd('gone.yard.test') },
      { name: 'README.md', data: crd('readme.yard.test') },
    ];
    expect(await keptCrds(apiWith(files), RELEASE)).toEqual(['hulls.yard.test']);
  });

  it('lists nothing without a folder or a record', async () => {
    expect(await keptCrds(apiWith(null), RELEASE)).toEqual([]);
    expect(await keptCrds(apiWith([]), { ...RELEASE, revision: 3 })).toEqual([]);
  });
});
