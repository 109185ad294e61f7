import { describe, expect, it } from '@jest/globals';
import { sourceName } from '../../../core/search/index.js';
import { CliError, EXIT } from '../cli-error.js';
import { chooseSources } from './sources.js';

const common = { cluster: 'shop', previous: null, state: 'live', container: null, service: null } as const;
const pod = { ...common, kind: 'pod', namespace: 'payments', workload: 'Deployment/api' } as const;
const SOURCES = [
  {
    ...common,
    id: 1,
    key: 'k1',
    kind: 'node',
    namespace: null,
    workload: null,
    name: 'shop-worker',
    service: 'kubelet',
  },
  { ...pod, id: 2, key: 'k2', name: 'api-7d9', container: 'web' },
  { ...pod, id: 3, key: 'k3', name: 'api-7d9', container: 'proxy' },
  { ...pod, id: 4, key: 'k4', name: 'api-7d9', container: 'web', previous: 0 },
  { ...pod, id: 5, key: 'k5', name: 'api-7d9', container: 'web', state: 'gone' },
] as const;

const chosen = (...names: string[]): number[] => chooseSources(SOURCES, names).map(({ id }) => id);

describe('chooseSources', () => {
  it.each([
    ['shop-worker/kubelet', [1]],
    ['shop-worker', [1]],
    ['shop/payments/api-7d9/web', [2]],
    ['payments/api-7d9', [2, 3]],
    ['Deployment/api', [2, 3]],
    ['shop/payments/Deployment/api', [2, 3]],
    ['k3', [3]],
    ['4', [4]],
    ['5', [5]],
  ])('finds %s', (name, ids) => {
    expect(chosen(name)).toEqual(ids);
  });

  it('chooses a source that several names mean once', () => {
    expect(chosen('api-7d9', '2', 'shop-worker')).toEqual([2, 3, 1]);
  });

  it('finds each source by the name that is shown', () => {
    for (const source of SOURCES.slice(0, 3)) expect(chosen(sourceName(source))).toEqual([source.id]);
  });

  it.each([
    ['api', 'Did you mean Deployment/api?'],
    ['shop/payments/api', 'Did you mean shop/payments/Deployment/api?'],
    ['deployment/API', 'Did you mean Deployment/api?'],
    ['other/payments/api', 'List them with: slipway logs'],
  ])('suggests a workload for %s', (name, hint) => {
    expect(() => chosen(name)).toThrow(`There is no log source ${name}. ${hint}`);
  });

  it('rejects a name that matches none, such as a part of one', () => {
    expect(() => chosen('api')).toThrow(CliError);
    expect(() => chosen('api')).toThrow(expect.objectContaining({ status: EXIT.notFound }));
  });
});
