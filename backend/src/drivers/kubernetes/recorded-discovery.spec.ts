import { describe, expect, it } from '@jest/globals';
import { RECORDED_DISCOVERY } from '../../../../test/support/kubernetes/recorded-discovery.js';
import { PreparedConnection } from '../../../../test/support/prepared-connection.js';
import { ConnectionResources } from './connection-resources.js';

const DEPLOYMENTS = { group: 'apps', version: 'v1', plural: 'deployments' };
const POD_METRICS = { group: 'metrics.k8s.io', version: 'v1beta1', plural: 'pods' };

function reach(responses: Record<string, unknown>): {
  api: ConnectionResources;
  connection: PreparedConnection;
} {
  const connection = new PreparedConnection(responses);
  return { api: new ConnectionResources('shop', connection), connection };
}

describe.each(Object.entries(RECORDED_DISCOVERY))(
  'ConnectionResources of Kubernetes %s',
  (release, responses) => {
    it('finds the same kinds as in other releases, each in its preferred version', async () => {
      const types = await reach(responses).api.types();
      const common = types.filter(({ group }) =>
        ['', 'apps', 'autoscaling', 'cert-manager.io'].includes(group),
      );
      expect(
        common.map(({ group, version, plural, kind, namespaced, shortNames, custom, scalable }) =>
          [group, version, plural, kind, namespaced, shortNames, custom, scalable].join(' '),
        ),
      ).toEqual([
        ' v1 nodes Node false no false false',
        ' v1 pods Pod true po false false',
        'apps v1 deployments Deployment true deploy false true',
        'autoscaling v2 horizontalpodautoscalers HorizontalPodAutoscaler true hpa false false',
        'cert-manager.io v1 certificates Certificate true cert true false',
      ]);
      expect(types.filter(({ custom }) => custom).map(({ group }) => group)).toEqual(['cert-manager.io']);
      for (const { verbs } of types) expect(verbs).toEqual(expect.arrayContaining(['list', 'watch']));
    });

    it('takes two requests at once if discovery is aggregated', async () => {
      const { api, connection } = reach(responses);
      await api.types();
      const isAggregated = release.includes('aggregated v');
      expect(connection.paths).toEqual(
        isAggregated ? ['/api', '/apis'] : expect.arrayContaining(['/api/v1']),
      );
      expect(connection.requests[0]?.accept).toMatch(/v=v2;.*v=v2beta1;.*,application\/json$/);
    });

    it('says that an aggregated API is not available, and has no usage', async () => {
      const { api } = reach({
        ...responses,
        'GET /apis/metrics.k8s.io/v1beta1/pods': { status: 503 },
        'GET /apis/metrics.k8s.io/v1beta1/nodes': { status: 503 },
      });
      await expect(api.type(POD_METRICS)).rejects.toMatchObject({
        code: 'resource_type_not_found',
        message: expect.stringContaining(
          'metrics.k8s.io/v1beta1 of cluster shop is not available: the server',
        ),
      });
      await expect(api.type({ ...POD_METRICS, version: 'v9' })).rejects.toThrow(
        'does not serve pods.metrics.k8s.io',
      );
      expect(await api.usage()).toBeNull();
    });

    it('says that there are no schemas with OpenAPI v2 only, and changes objects without them', async () => {
      const object = {
        apiVersion: 'apps/v1',
        kind: 'Deployment',
        metadata: { name: 'web', namespace: 'shop' },
      };
      const { api } = reach({
        ...responses,
        'GET /openapi/v2': { swagger: '2.0', definitions: {} },
        'GET /apis/apps/v1/namespaces/shop/deployments/web': object,
        'PATCH /apis/apps/v1/namespaces/shop/deployments/web?fieldManager=slipway': object,
      });
      await expect(api.openApi(await api.type(DEPLOYMENTS))).rejects.toMatchObject({
        code: 'schema_unavailable',
        message: 'The API server of cluster shop publishes no schemas. Kubernetes 1.24 and later do.',
      });
      const reference = { ...DEPLOYMENTS, namespace: 'shop', name: 'web' };
      expect(await api.apply(reference, await api.read(reference))).toMatchObject({ object, warnings: [] });
    });
  },
);
