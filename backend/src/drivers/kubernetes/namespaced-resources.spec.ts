import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { PreparedConnection } from '../../../../test/support/prepared-connection.js';
import type { ApiRequest, ApiResponse } from './api-connection.js';
import { NamespacedResources } from './namespaced-resources.js';
import type { TableChange } from './resource-api.js';

const PODS = { group: '', version: 'v1', plural: 'pods' };
const REFUSED = {
  status: 403,
  kind: 'Status',
  reason: 'Forbidden',
  message: 'pods is forbidden: User "ada" cannot list resource "pods" in API group "" at the cluster scope',
  code: 403,
};
const DISCOVERY = {
  'GET /api': { versions: ['v1'] },
  'GET /apis': { groups: [] },
  'GET /api/v1': {
    resources: [
      { name: 'pods', kind: 'Pod', namespaced: true, verbs: ['list', 'watch'] },
      { name: 'nodes', kind: 'Node', namespaced: false, verbs: ['list'] },
    ],
  },
};

function podsOf(namespace: string, names: readonly string[], resourceVersion: string): object {
  return {
    kind: 'PodList',
    metadata: { resourceVersion },
    items: names.map((name) => ({ kind: 'Pod', metadata: { name, namespace, uid: name } })),
  };
}

const table = (namespace?: string): string =>
  `GET /api/v1/${namespace === undefined ? '' : `namespaces/${namespace}/`}pods?limit=500&includeObject=Metadata`;

describe('NamespacedResources', () => {
  const answers = {
    ...DISCOVERY,
    [table()]: REFUSED,
    [table('shop')]: podsOf('shop', ['a', 'b'], '1200'),
    [table('team')]: podsOf('team', ['c'], '999'),
    [table('secret')]: REFUSED,
  };

  it('reads what may not be listed everywhere in each namespace of the user', async () => {
    const connection = new PreparedConnection(answers);
    const api = new NamespacedResources('prod', connection, ['shop', 'team', 'secret']);
    const { rows, continue: token, resourceVersion } = await api.table(PODS);
    expect(rows.map(({ namespace, name }) => `${namespace ?? ''}/${name}`)).toEqual([
      'shop/a',
      'shop/b',
      'team/c',
    ]);
    expect({ token, resourceVersion }).toEqual({ token: null, resourceVersion: '999' });
    const asked = connection.paths.length;
    await api.table(PODS);
    // The refusal is remembered.
    expect(connection.paths.slice(asked)).toHaveLength(3);
  });

  it('passes a refusal on if no namespace, or a kind without namespaces, may be read', async () => {
    const nodes = 'GET /api/v1/nodes?limit=500&includeObject=Metadata';
    const connection = new PreparedConnection({ ...answers, [nodes]: REFUSED });
    const none = new NamespacedResources('prod', connection, ['secret']);
    await expect(none.table(PODS)).rejects.toMatchObject({ code: 'resource_forbidden' });
    const some = new NamespacedResources('prod', connection, ['shop']);
    await expect(some.table({ ...PODS, plural: 'nodes' })).rejects.toMatchObject({
      code: 'resource_forbidden',
    });
    await expect(some.table(PODS, { namespace: 'secret' })).rejects.toMatchObject({
      code: 'resource_forbidden',
    });
  });

  it('watches the namespaces that may be watched, and lists again when one of the watches ends', async () => {
    const connection = new PreparedConnection(answers);
    const api = new NamespacedResources('prod', connection, ['shop', 'team']);
    await api.table(PODS);
    connection.lines = [
      JSON.stringify({
        type: 'ADDED',
        object: { kind: 'Pod', metadata: { name: 'd', uid: 'd', resourceVersion: '1300' } },
      }),
    ];
    connection.endless = true;
    const seen: TableChange[] = [];
    const stopped = new AbortController();
    const watching = api.watch(PODS, {
      resourceVersion: '999',
      signal: stopped.signal,
      onChanges: (changes) => void seen.push(...changes),
    });
    await delay(20);
    expect(connection.watching).toBe(2);
    expect(seen).toHaveLength(2);
    stopped.abort();
    expect(await watching).toBe('expired');
    expect(connection.watching).toBe(0);
  });
});

/** Its responses have a field `status`. */
class Reviews extends PreparedConnection {
  most = 0;
  private pending = 0;

  constructor(private readonly reviews: Record<string, unknown>) {
    super({});
  }

  override async send(request: ApiRequest): Promise<ApiResponse> {
    this.most = Math.max(this.most, (this.pending += 1));
    await new Promise(setImmediate);
    this.pending -= 1;
    const found = this.reviews[`${request.method ?? 'GET'} ${request.path}`];
    return found === undefined ? await super.send(request) : { status: 201, text: JSON.stringify(found) };
  }
}

describe('ConnectionResources.access', () => {
  const reviews = 'POST /apis/authorization.k8s.io/v1';
  const rulesFor = async (
    answersOf: object,
  ): Promise<(verb: string, plural: string, group?: string) => boolean> => {
    const connection = new Reviews(answersOf as Record<string, unknown>);
    const rules = await new NamespacedResources('prod', connection, []).access('shop');
    return (verb, plural, group = '') => rules.isForbidden(verb, { group, plural });
  };
  const limited = {
    [`${reviews}/selfsubjectaccessreviews`]: { status: { allowed: false } },
    [`${reviews}/selfsubjectrulesreviews`]: {
      status: {
        incomplete: false,
        resourceRules: [
          { verbs: ['get', 'list'], apiGroups: [''], resources: ['pods'] },
          { verbs: ['*'], apiGroups: ['apps'], resources: ['*'] },
          { verbs: ['create'], apiGroups: [''], resources: ['pods/exec', 'services'] },
          { verbs: ['patch'], apiGroups: [''], resources: ['*/scale'] },
        ],
      },
    },
  };

  it('knows which verbs are refused', async () => {
    const isForbidden = await rulesFor(limited);
    expect([
      isForbidden('list', 'pods'),
      isForbidden('delete', 'pods'),
      isForbidden('list', 'secrets'),
    ]).toEqual([false, true, true]);
    expect(isForbidden('delete', 'deployments', 'apps')).toBe(false);
  });

  it('takes one round trip', async () => {
    const connection = new Reviews(limited);
    await new NamespacedResources('prod', connection, []).access('shop');
    expect(connection.most).toBe(2);
  });

  it('knows which verbs are refused for subresources, whose rights are their own', async () => {
    const isForbidden = await rulesFor(limited);
    expect(
      ['get log', 'create exec', 'get exec', 'create portforward'].map((verb) => isForbidden(verb, 'pods')),
    ).toEqual([true, false, true, true]);
    expect(isForbidden('patch scale', 'replicationcontrollers')).toBe(false);
    expect(isForbidden('patch scale', 'deployments', 'apps')).toBe(false);
  });

  it.each<[string, object]>([
    ['an administrator', { [`${reviews}/selfsubjectaccessreviews`]: { status: { allowed: true } } }],
    [
      'a server that does not know all rules',
      {
        ...limited,
        [`${reviews}/selfsubjectrulesreviews`]: { status: { incomplete: true, resourceRules: [] } },
      },
    ],
    ['a server without reviews', {}],
  ])('refuses nothing to %s', async (_who, answersOf) => {
    expect((await rulesFor(answersOf))('delete', 'pods')).toBe(false);
  });
});
