import { describe, expect, it } from '@jest/globals';
import type { LogSourceDto } from '../../../shared/api/api-types';
import { makeSource } from '../testing/make-source';
import type { SourceChoice } from './belongings';
import {
  choiceParameters,
  choiceSummary,
  isChosen,
  NOTHING_CHOSEN,
  readChoice,
  withGroup,
  withoutSources,
  withSources,
} from './source-choice';
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

function read(query: string): SourceChoice {
  return readChoice(new URLSearchParams(query));
}

/** The address of a choice, as the router writes it. */
function written(choice: SourceChoice): string {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(choiceParameters(choice))) {
    for (const one of [value ?? []].flat()) params.append(name, one);
  }
  return params.toString();
}

function names(choice: SourceChoice, sources: readonly LogSourceDto[] = SOURCES): string[] {
  return sources.filter((source) => isChosen(source, choice)).map(({ key }) => key);
}

function without(choice: SourceChoice, ...unwanted: LogSourceDto[]): SourceChoice {
  return withoutSources(choice, new Set(unwanted.map(({ id }) => id)), groupSources(SOURCES));
}

describe('the choice in the address', () => {
  it('names sources by their keys', () => {
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

  it.each<SourceChoice>([
    NOTHING_CHOSEN,
    { groups: [], keys: ['a', 'b'] },
    { groups: [SHOP], keys: [] },
    { groups: [{ ...SHOP, workload: 'Deployment/cart' }], keys: ['a'] },
    { groups: [SHOP, { runtime: 'podman' }, { cluster: 'a;b:c%3Bd' }], keys: ['a'] },
  ])('is read as it was written: %j', (choice) => {
    expect(read(written(choice))).toEqual(choice);
  });

  it('is short for a whole cluster of any size, and in the form of the dashboard’s links', () => {
    expect(written({ groups: [DEV], keys: [] })).toBe('runtime=docker&cluster=dev');
  });

  it('takes away what it does not say', () => {
    expect(choiceParameters(NOTHING_CHOSEN)).toEqual(
      Object.fromEntries(
        ['runtime', 'cluster', 'namespace', 'workload', 'pod', 'container', 'node', 'of', 'sources'].map(
          (name) => [name, null],
        ),
      ),
    );
  });

  it('is said in words', () => {
    expect(choiceSummary(read('sources=a'))).toBe('this source');
    expect(choiceSummary(read('sources=a,b'))).toBe('these sources');
    expect(choiceSummary(read('runtime=docker&cluster=dev&node=*'))).toBe(
      'engine docker, cluster dev, any node',
    );
    expect(choiceSummary(read('of=runtime:podman&of=cluster:dev&sources=a'))).toBe(
      'engine podman or cluster dev or 1 source',
    );
  });
});

describe('a group that is chosen as a whole', () => {
  it('takes in what comes later', () => {
    const choice = withGroup(NOTHING_CHOSEN, SHOP, SOURCES);
    const later = pod('cart-5c9d8b7f6-new', { key: 'later' });
    const elsewhere = pod('etcd-2', { namespace: 'kube-system', key: 'elsewhere' });
    expect(names(choice, [...SOURCES, later, elsewhere])).toEqual([X.key, 'kz', 'later']);
  });

  it('stands for all that was chosen in it before', () => {
    const before = { groups: [SHOP, { runtime: 'podman' }], keys: ['redis', 'etcd', 'gone-since'] };
    expect(withGroup(before, DEV, SOURCES)).toEqual({
      groups: [{ runtime: 'podman' }, DEV],
      keys: ['redis', 'gone-since'],
    });
    // What a link names by the workload's name alone is within it too.
    const link = { groups: [{ ...SHOP, workload: 'Deployment/cart' }], keys: [] };
    expect(withGroup(link, { workload: 'cart' }, SOURCES).groups).toEqual([{ workload: 'cart' }]);
  });

  it('is left as a whole by one of it, and the rest stays chosen as wholes as far as that goes', () => {
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

  it('is a project not in a cluster as well, which stays a whole where another of them is left', () => {
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
    expect(choiceSummary(rest)).toBe('engine docker, workload Compose/shop, not in a cluster');
  });

  it('of which a part was chosen by a link keeps to that part', () => {
    // The pod of the link is all that is meant of its namespace.
    const link = read('cluster=dev&namespace=shop&of=runtime:podman');
    expect(names(without(link, OTHER))).toEqual([X.key, 'kz']);
    const both = read('workload=cart');
    expect(names(both)).toEqual([X.key, 'kz', 'other']);
    expect(without(both, X)).toEqual({ groups: [], keys: ['kz', 'other'] });
  });

  it('goes with all that is in it, and leaves others alone', () => {
    const both = { groups: [SHOP, { runtime: 'podman' }], keys: ['redis', 'not-there'] };
    expect(without(both, X, KZ)).toEqual({
      groups: [{ runtime: 'podman' }],
      keys: ['redis', 'not-there'],
    });
    expect(without(both, REDIS)).toEqual({ ...both, keys: ['not-there'] });
  });

  it('has no source named beside it', () => {
    const choice = { groups: [SHOP], keys: ['redis'] };
    expect(withSources(choice, [X, REDIS, ETCD])).toEqual({ groups: [SHOP], keys: ['redis', 'etcd'] });
  });
});
