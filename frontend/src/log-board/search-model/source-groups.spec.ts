import { describe, expect, it } from '@jest/globals';
import type { LogSourceDto } from '../../shared/api/api-types';
import { makeSource } from '../../shared/testing/make-source';
import { checkOf, findSources, groupSources, openRows, type TreeNode } from './source-groups';
import { fullName, lastingSelection, shownState, sourceName, stateLabel, titleOf } from './source-names';

const POD = { kind: 'pod', cluster: 'dev', namespace: 'shop', workload: 'Deployment/cart' } as const;

function tree(nodes: readonly TreeNode[], depth = 0): string[] {
  return nodes.flatMap(({ name, children }) => [
    `${'  '.repeat(depth)}${name}`,
    ...tree(children, depth + 1),
  ]);
}

const SOURCES: LogSourceDto[] = [
  makeSource({ name: 'redis' }),
  makeSource({ ...POD, name: 'cart-7d9f8b6c54-x2lqp' }),
  makeSource({ ...POD, name: 'cart-7d9f8b6c54-kz7rv', container: 'proxy' }),
  makeSource({ ...POD, namespace: 'kube-system', workload: null, name: 'etcd-dev-control-plane' }),
  makeSource({ kind: 'node', cluster: 'dev', name: 'dev-worker2', service: 'kubelet' }),
  makeSource({ name: 'dev-worker2', cluster: 'dev' }),
  makeSource({ ...POD, runtime: 'podman', name: 'cart-7d9f8b6c54-aaaaa' }),
];

describe('groupSources', () => {
  it('groups sources by cluster, namespace and workload', () => {
    expect(tree(groupSources(SOURCES))).toEqual([
      'dev',
      '  kube-system',
      '    etcd',
      '  shop',
      '    cart kz7rv proxy',
      '    cart x2lqp',
      '  Node services',
      '    worker2 container',
      '    worker2 kubelet',
      'dev',
      '  shop',
      '    cart aaaaa',
      'Other containers',
      '  redis',
    ]);
  });

  it('puts deleted sources last, and wholly deleted clusters into one group at the end', () => {
    const gone = { ...POD, state: 'gone' } as const;
    const sources = [
      makeSource({ ...gone, cluster: 'alpha', name: 'cart-7d9f8b6c54-aaaaa' }),
      makeSource({ ...gone, name: 'cart-7d9f8b6c54-bbbbb' }),
      makeSource({ ...POD, name: 'cart-7d9f8b6c54-x2lqp' }),
      makeSource({ name: 'redis' }),
    ];
    expect(tree(groupSources(sources))).toEqual([
      'dev',
      '  shop',
      '    cart x2lqp',
      '    cart bbbbb',
      'Other containers',
      '  redis',
      'Deleted',
      '  alpha',
      '    shop',
      '      cart aaaaa',
    ]);
  });

  it('groups a workload with many pods', () => {
    const pods = ['a1111', 'b2222', 'c3333', 'd4444'].map((end) =>
      makeSource({ ...POD, name: `cart-7d9f8b6c54-${end}` }),
    );
    expect(tree(groupSources(pods))).toEqual([
      'dev',
      '  shop',
      '    cart',
      ...pods.map(({ name }) => `      cart ${name.slice(-5)}`),
    ]);
  });

  it('groups the containers of a project, and names the engine if there are two', () => {
    const shop = { workload: 'Compose/shop' } as const;
    const sources = [
      makeSource({ ...shop, name: 'shop-web-1' }),
      makeSource({ name: 'redis' }),
      makeSource({ ...shop, name: 'shop-db-1' }),
      makeSource({ ...shop, runtime: 'podman', name: 'shop-db-1' }),
    ];
    const nodes = groupSources(sources);
    expect(tree(nodes)).toEqual([
      'Docker containers',
      '  redis',
      '  shop',
      '    shop-db-1',
      '    shop-web-1',
      'Podman containers',
      '  shop',
      '    shop-db-1',
    ]);
    const groups = nodes.flatMap(({ children }) => children.filter(({ source }) => !source));
    expect(groups.map(({ title, group }) => [title, group])).toEqual([
      ['Compose/shop', { runtime: 'docker', workload: 'Compose/shop', container: '*' }],
      ['Compose/shop', { runtime: 'podman', workload: 'Compose/shop', container: '*' }],
    ]);
    expect(new Set(groups.map(({ id }) => id)).size).toBe(2);
    expect(tree(findSources(nodes, 'podman compose'))).toEqual([
      'Podman containers',
      '  shop',
      '    shop-db-1',
    ]);
  });

  it('finds sources by words of their path', () => {
    expect(tree(findSources(groupSources(SOURCES), 'shop proxy'))).toEqual([
      'dev',
      '  shop',
      '    cart kz7rv proxy',
    ]);
    expect(tree(findSources(groupSources(SOURCES), '7d9f8b6c54-x2'))).toEqual([
      'dev',
      '  shop',
      '    cart x2lqp',
    ]);
    expect(findSources(groupSources(SOURCES), 'nothing')).toEqual([]);
  });

  it('finds a group as a whole only if all its sources match', () => {
    const group = (text: string): unknown[] => {
      const groups: unknown[] = [];
      const walk = (nodes: readonly TreeNode[]): void => {
        for (const node of nodes) {
          if (!node.source) groups.push(node.group);
          walk(node.children);
        }
      };
      walk(findSources(groupSources(SOURCES), text));
      return groups;
    };
    const shop = { runtime: 'docker', cluster: 'dev', namespace: 'shop' };
    expect(group('docker shop')).toEqual([null, shop]);
    expect(group('docker shop proxy')).toEqual([null, null]);
    expect(group('redis')).toEqual([{ runtime: 'docker', container: '*' }]);
  });

  it('provides the ARIA attributes of each row', () => {
    const rows = openRows(groupSources(SOURCES), (_node, level) => level === 0);
    expect(rows.map(({ node, level, position, siblings }) => [node.name, level, position, siblings])).toEqual(
      [
        ['dev', 0, 1, 3],
        ['kube-system', 1, 1, 3],
        ['shop', 1, 2, 3],
        ['Node services', 1, 3, 3],
        ['dev', 0, 2, 3],
        ['shop', 1, 1, 1],
        ['Other containers', 0, 3, 3],
        ['redis', 1, 1, 1],
      ],
    );
  });

  it('computes the check state', () => {
    expect(checkOf([1, 2], new Set())).toBe('none');
    expect(checkOf([1, 2], new Set([2, 3]))).toBe('some');
    expect(checkOf([1, 2], new Set([1, 2]))).toBe('all');
    expect(checkOf([], new Set([1]))).toBe('none');
  });
});

describe('lastingSelection', () => {
  it('is the workload, or the name of the container', () => {
    const group = { runtime: 'docker', cluster: 'dev', namespace: 'shop', workload: 'Deployment/cart' };
    expect(lastingSelection(makeSource({ ...POD, name: 'cart-7d9f8b6c54-x2lqp' }))).toEqual({
      label: 'Show cart and its new pods',
      selection: { groups: [group], keys: [] },
    });
    expect(lastingSelection(makeSource({ name: 'redis' }))?.selection.groups).toEqual([
      { runtime: 'docker', container: 'redis' },
    ]);
    expect(lastingSelection(makeSource({ ...POD, workload: null, name: 'etcd-dev' }))).toBeNull();
    expect(lastingSelection(makeSource({ kind: 'node', cluster: 'dev', name: 'dev-worker' }))).toBeNull();
    expect(lastingSelection(makeSource({ cluster: 'dev', name: 'dev-worker' }))).toBeNull();
  });
});

describe('source names', () => {
  it('are short in the tree and complete in the tooltip', () => {
    const previous = makeSource({ ...POD, name: 'cart-7d9f8b6c54-x2lqp', container: 'proxy', previous: 2 });
    expect(sourceName(previous)).toBe('cart x2lqp proxy, previous');
    expect(fullName(previous)).toBe('dev / shop / cart-7d9f8b6c54-x2lqp / proxy, before restart 3');
    expect(sourceName(makeSource({ ...POD, workload: 'StatefulSet/db', name: 'db-0' }))).toBe('db 0');
    const named = (name: string): string => sourceName(makeSource({ ...POD, workload: null, name }));
    expect(
      ['etcd-dev-control-plane', 'etcd-dev-control-plane2', 'my-dev-tools', 'dev-worker'].map(named),
    ).toEqual(['etcd', 'etcd 2', 'my-dev-tools', 'dev-worker']);
  });

  it('show characters that make one look like another as escapes', () => {
    const name = 'web\u200b-1\u202e';
    const pod = {
      kind: 'pod',
      cluster: 'dev',
      namespace: name,
      workload: `Deployment/${name}`,
      container: name,
    } as const;
    const service = { kind: 'node', cluster: 'dev', service: 'kubelet' } as const;
    for (const source of [
      makeSource({ ...pod, name }),
      makeSource({ ...pod, name, workload: null, container: null, previous: 1 }),
      makeSource({ ...service, name }),
      makeSource({ cluster: 'dev', name }),
      makeSource({ name }),
    ]) {
      const shown = [sourceName(source), titleOf(source), fullName(source), lastingSelection(source)?.label];
      for (const text of shown) if (text !== undefined) expect(text).toContain('web\\u200b-1\\u202e');
      expect(shown.join(' ')).not.toMatch(/[\u200b\u202e]/);
    }
    expect(lastingSelection(makeSource({ ...pod, name }))?.selection.groups).toEqual([
      { runtime: 'docker', cluster: 'dev', namespace: name, workload: `Deployment/${name}` },
    ]);
  });

  it('include why a source is not live', () => {
    const shown: [LogSourceDto['state'], string | null, string | undefined][] = [
      ['live', null, undefined],
      ['waiting', 'CrashLoopBackOff, exit code 1', 'failed crash loop'],
      ['ended', 'CrashLoopBackOff, exit code 1', 'failed crash loop'],
      ['waiting', 'ImagePullBackOff', 'failed cannot start'],
      ['waiting', 'ContainerCreating', 'creating waiting'],
      ['ended', 'OOMKilled, exit code 137', 'failed exit code 137'],
      ['ended', null, 'succeeded ended'],
      ['gone', null, 'stopped deleted'],
      ['left_out', 'It was left out.', 'paused not collected'],
      ['failed', 'no access', 'failed failed'],
    ];
    for (const [state, reason, wanted] of shown) {
      const found = shownState({ state, reason });
      expect(found ? `${found.state} ${found.word}` : undefined).toBe(wanted);
    }
    expect(stateLabel({ state: 'failed', reason: 'no access' })).toBe('failed: no access');
    expect(stateLabel({ state: 'gone', reason: null })).toBe('deleted');
    expect(stateLabel({ state: 'live', reason: null })).toBe('');
    expect(stateLabel({ state: 'left_out', reason: 'It was left out.' })).toBe('not collected');
  });
});
