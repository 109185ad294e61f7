import { describe, expect, it, jest } from '@jest/globals';
import { ConnectionResources } from '../../../drivers/kubernetes/index.js';
import { PreparedConnection } from '../../../../../test/support/prepared-connection.js';
import { ReleaseResources } from './release-resources.js';

const HULL = 'apiVersion: yard.test/v1\nkind: Hull\nmetadata: {name: one}\n';
const hulls = { resource: 'hulls', responseKind: { kind: 'Hull' }, scope: 'Namespaced', verbs: ['get'] };

describe('ReleaseResources', () => {
  it('finds an object of a kind that the chart has just installed', async () => {
    const answers: Record<string, unknown> = {
      'GET /api': { kind: 'APIGroupDiscoveryList', items: [] },
      'GET /apis': { kind: 'APIGroupDiscoveryList', items: [] },
      'GET /apis/yard.test/v1/namespaces/yard/hulls/one': {
        apiVersion: 'yard.test/v1',
        kind: 'Hull',
        metadata: { name: 'one', namespace: 'yard' },
      },
    };
    const api = new ConnectionResources('demo', new PreparedConnection(answers));
    expect(await api.types()).toEqual([]);
    answers['GET /apis'] = {
      kind: 'APIGroupDiscoveryList',
      items: [{ metadata: { name: 'yard.test' }, versions: [{ version: 'v1', resources: [hulls] }] }],
    };
    const later = performance.now() + 2000;
    const now = jest.spyOn(performance, 'now').mockReturnValue(later);
    try {
      const { resources, ready } = await (await ReleaseResources.open(api, 'yard', HULL)).read();
      expect(ready).toBe(1);
      expect(resources).toMatchObject([{ plural: 'hulls', present: true, health: 'none', detail: null }]);
    } finally {
      now.mockRestore();
    }
  });
});
