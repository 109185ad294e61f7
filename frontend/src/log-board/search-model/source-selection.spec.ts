import { describe, expect, it } from '@jest/globals';
import type { LogSourceDto } from '../../shared/api/api-types';
import { makeSource } from '../../shared/testing/make-source';
import type { SourceSelection } from './source-group';
import {
  EMPTY_SELECTION,
  isSelected,
  readSelection,
  selectionParameters,
  selectionSummary,
  withGroup,
  withoutSources,
  withSources,
} from './source-selection';
import { groupSources } from './source-groups';

const CART = { kind: 'pod', cluster: 'dev', namespace: 'shop', workload: 'Deployment/cart' } as const;

function pod(name: string, more: Partial<LogSourceDto> = {}): LogSourceDto {
  return makeSource({ ...CART, name, key: `pod/${name}/${more.container ?? ''}`, ...more });
}

const REDIS = makeSource({ name: 'redis', key: 'redis' });
const X = pod('cart-7d9f8b6c54-x2lqp');
const KZ = pod('cart-7d9f8b6c54-kz7rv', { container: 'proxy', key: 'kz' });
const ETCD = pod('etcd', { namespace: 'kube-system', workload: null, key: 'etcd' });
const KUBELET = makeSource({
  kind: 'node',
  cluster: 'dev',
  name: 'dev-worker2',
  service: 'kubelet',
  key: 'kl',
});
const NODE = makeSource({ name: 'dev-worker2', cluster: 'dev', key: 'node' });
const OTHER = pod('cart-7d9f8b6c54-aaaaa', { runtime: 'podman', key: 'other' });
const SOURCES = [REDIS, X, KZ, ETCD, KUBELET, NODE, OTHER];

const DEV = { runtime: 'docker', cluster: 'dev' };
const SHOP = { ...DEV, namespace: 'shop' };

function read(query: string): SourceSelection {
  return readSelection(new URLSearchParams(query));
}

/** The address of a selection, as written by the router. */
function written(selection: SourceSelection): string {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(selectionParameters(selection))) {
    for (const one of [value ?? []].flat()) params.append(name, one);
  }
  return params.toString();
}

function names(selection: SourceSelection, sources: readonly LogSourceDto[] = SOURCES): string[] {
  return sources.filter((source) => isSelected(source, selection)).map(({ key }) => key);
}

function without(selection: SourceSelection, ...unwanted: LogSourceDto[]): SourceSelection {
  return withoutSources(selection, new Set(unwanted.map(({ id }) => id)), groupSources(SOURCES));
}

describe('selection in the address', () => {
  it('names sources by key', () => {
    expect(names(read('sources=redis,unknown'))).toEqual(['redis']);
    expect(names(read(''))).toEqual([]);
  });

  it.each([
    ['cluster=dev&runtime=docker&namespace=shop', [X, KZ]],
    ['cluster=dev&namespace=shop&pod=cart-7d9f8b6c54-x2lqp', [X]],
    ['pod=cart-7d9f8b6c54-kz7rv&container=proxy', [KZ]],
    ['pod=cart-7d9f8b6c54-kz7rv&container=cart', []],
    ['container=redis', [REDIS]],
    ['runtime=docker&container=*', [REDIS]],
    ['node=dev-worker2', [KUBELET, NODE]],
    ['cluster=dev&node=*', [KUBELET, NODE]],
    ['workload=cart&runtime=podman', [OTHER]],
    ['of=runtime:podman&of=cluster:dev;namespace:kube-system&sources=redis', [REDIS, ETCD, OTHER]],
  ])('resolves %s', (query, found) => {
    expect(names(read(query))).toEqual(found.map(({ key }) => key));
  });

  it.each<SourceSelection>([
    EMPTY_SELECTION,
    { groups: [], keys: ['a', 'b'] },
    { groups: [SHOP], keys: [] },
    { groups: [{ ...SHOP, workload: 'Deployment/cart' }], keys: ['a'] },
    { groups: [SHOP, { runtime: 'podman' }, { cluster: 'a;b:c%3Bd' }], keys: ['a'] },
  ])('is read as it was written: %j', (selection) => {
    expect(read(written(selection))).toEqual(selection);
  });

  it('is short for a cluster of any size, and equals the links of the dashboard', () => {
    expect(written({ groups: [DEV], keys: [] })).toBe('runtime=docker&cluster=dev');
  });

  it('removes unused parameters', () => {
    expect(selectionParameters(EMPTY_SELECTION)).toEqual(
      Object.fromEntries(
        ['runtime', 'cluster', 'namespace', 'workload', 'pod', 'container', 'node', 'of', 'sources'].map(
          (name) => [name, null],
        ),
      ),
    );
  });

  it('has a summary', () => {
    expect(selectionSummary(read('sources=a'))).toBe('this source');
    expect(selectionSummary(read('sources=a,b'))).toBe('these sources');
    expect(selectionSummary(read('pod=web%E2%80%8B'))).toBe('pod web\\u200b');
    expect(selectionSummary(read('runtime=docker&cluster=dev&node=*'))).toBe(
      'engine docker, cluster dev, any node',
    );
    expect(selectionSummary(read('of=runtime:podman&of=cluster:dev&sources=a'))).toBe(
      'engine podman or cluster dev or 1 source',
    );
  });
});

describe('a selected group', () => {
  it('includes future sources', () => {
    const selection = withGroup(EMPTY_SELECTION, SHOP, SOURCES);
    const later = pod('cart-5c9d8b7f6-new', { key: 'later' });
    const elsewhere = pod('etcd-2', { namespace: 'kube-system', key: 'elsewhere' });
    expect(names(selection, [...SOURCES, later, elsewhere])).toEqual([X.key, 'kz', 'later']);
  });

  it('replaces the selections inside it', () => {
    const before = { groups: [SHOP, { runtime: 'podman' }], keys: ['redis', 'etcd', 'gone-since'] };
    expect(withGroup(before, DEV, SOURCES)).toEqual({
      groups: [{ runtime: 'podman' }, DEV],
      keys: ['redis', 'gone-since'],
    });
    // A link may name a workload without its kind.
    const link = { groups: [{ ...SHOP, workload: 'Deployment/cart' }], keys: [] };
    expect(withGroup(link, { workload: 'cart' }, SOURCES).groups).toEqual([{ workload: 'cart' }]);
  });

  it('is split when one of its sources is removed, into groups if possible', () => {
    const cluster = { groups: [DEV], keys: ['redis'] };
    expect(without(cluster, X)).toEqual({
      groups: [
        { ...DEV, namespace: 'kube-system' },
        { ...DEV, node: '*' },
      ],
      keys: ['redis', 'kz'],
    });
    expect(names(without(cluster, X))).toEqual(['redis', 'kz', 'etcd', 'kl', 'node']);
  });

  it('may be a project outside clusters, which stays a group when another is removed', () => {
    const web = makeSource({ name: 'shop-web-1', key: 'web', workload: 'Compose/shop' });
    const db = makeSource({ name: 'shop-db-1', key: 'db', workload: 'Compose/shop' });
    const all = [...SOURCES, web, db];
    const project = { runtime: 'docker', workload: 'Compose/shop', container: '*' };
    const others = { groups: [{ runtime: 'docker', container: '*' }], keys: [] };
    const rest = withoutSources(others, new Set([REDIS.id]), groupSources(all));
    expect(rest).toEqual({ groups: [project], keys: [] });
    expect(written(rest)).toBe('runtime=docker&workload=Compose%2Fshop&container=*');
    expect(names(read(written(rest)), all)).toEqual(['web', 'db']);
    expect(
      withGroup({ groups: [project], keys: ['redis'] }, { runtime: 'docker', container: '*' }, all),
    ).toEqual(others);
    expect(selectionSummary(rest)).toBe('engine docker, workload Compose/shop, not in a cluster');
  });

  it('keeps to the part that a link selected', () => {
    // Only the pod of the link is selected.
    const link = read('cluster=dev&namespace=shop&of=runtime:podman');
    expect(names(without(link, OTHER))).toEqual([X.key, 'kz']);
    const both = read('workload=cart');
    expect(names(both)).toEqual([X.key, 'kz', 'other']);
    expect(without(both, X)).toEqual({ groups: [], keys: ['kz', 'other'] });
  });

  it('is removed with all its sources, without changing others', () => {
    const both = { groups: [SHOP, { runtime: 'podman' }], keys: ['redis', 'not-there'] };
    expect(without(both, X, KZ)).toEqual({
      groups: [{ runtime: 'podman' }],
      keys: ['redis', 'not-there'],
    });
    expect(without(both, REDIS)).toEqual({ ...both, keys: ['not-there'] });
  });

  it('contains no source that is also selected by key', () => {
    const selection = { groups: [SHOP], keys: ['redis'] };
    expect(withSources(selection, [X, REDIS, ETCD])).toEqual({ groups: [SHOP], keys: ['redis', 'etcd'] });
  });
});
