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
    ['a workload without its kind', 'api', [2, 3]],
    ['with the cluster', 'shop/api', [2, 3]],
    ['with the namespace and the container', 'payments/API/web', [2]],
    ['a short kind, as in kubectl', 'deploy/api', [2, 3]],
    ['a kind in another case', 'shop/payments/deployment/api', [2, 3]],
    ['a pod with its kind', 'pod/api-7d9', [2, 3]],
    ['the beginning of a pod', 'api-7', [2, 3]],
    ['the beginning of a node, with its service', 'shop-wo/kubelet', [1]],
    ['a container', 'proxy', [3]],
    ['a service of a node', 'kubelet', [1]],
    ['a part of a name', 'worker', [1]],
  ])('finds %s: %s', (_what, name, ids) => {
    expect(chosen(name)).toEqual(ids);
  });

  it('prefers the nearest of shorter names', () => {
    const web = { ...pod, id: 6, key: 'k6', workload: 'Deployment/web', name: 'web-5c4', container: 'app' };
    expect(chooseSources([...SOURCES, web], ['web']).map(({ id }) => id)).toEqual([6]);
  });

  it.each([
    ['api', 'shop/payments/Deployment/api, test/payments/Deployment/api'],
    ['a', 'shop/payments/Deployment/api, test/payments/Deployment/api, test/payments/api-db and 1 more'],
  ])('lists what %s can mean if that is several', (name, subjects) => {
    const more = [
      ...SOURCES,
      { ...pod, cluster: 'test', id: 6, key: 'k6', name: 'api-5c4' },
      { ...pod, cluster: 'test', id: 7, key: 'k7', workload: null, name: 'api-db' },
      { ...pod, cluster: 'test', id: 8, key: 'k8', workload: 'Job/audit', name: 'audit-1' },
    ];
    expect(() => chooseSources(more, [name])).toThrow(
      expect.objectContaining({
        status: EXIT.usage,
        message: `${name} matches several log sources: ${subjects}. Name them, or one of them.`,
      }),
    );
    expect(chooseSources(more, ['Deployment/api']).map(({ id }) => id)).toEqual([2, 3, 6]);
  });

  it.each([
    ['apu', 'Did you mean shop/payments/Deployment/api?'],
    ['other/payments/api', 'Did you mean shop/payments/Deployment/api?'],
    ['shop-workers', 'Did you mean shop-worker?'],
    ['99', 'List them with: slipway logs'],
    ['nothing', 'List them with: slipway logs'],
  ])('suggests names like %s', (name, hint) => {
    expect(() => chosen(name)).toThrow(CliError);
    expect(() => chosen(name)).toThrow(
      expect.objectContaining({ status: EXIT.notFound, message: `There is no log source ${name}. ${hint}` }),
    );
  });
});
