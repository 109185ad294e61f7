import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DemoWorld } from '../../backend/src/drivers/demo/demo-world.js';
import type { KubernetesObject, ResourceApi } from '../../backend/src/drivers/kubernetes/index.js';
import type { CauseDto, DiagnosisDto } from '../../backend/src/modules/diagnosis/diagnosis.dto.js';
import { ClusterResources } from '../../backend/src/modules/resources/index.js';
import type { ResourceTableDto } from '../../backend/src/modules/resources/common/resource.dto.js';
import { createCluster } from '../support/app/clusters.js';
import { withChangedResponses } from '../support/kubernetes/changed-responses.js';
import { startApp, type TestApp } from '../support/app/start-app.js';

const REFUSED =
  'Error creating: pods "web-" is forbidden: violates PodSecurity "restricted:latest": privileged (container "c" must not set securityContext.privileged=true)';
const DISCOVERY =
  'Discovery failed for some groups, 1 failing: unable to retrieve the complete list of server APIs: ghost.case.test/v1beta1';

const CRD = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'hulls.yard.test' },
  spec: {
    group: 'yard.test',
    scope: 'Namespaced',
    names: { kind: 'Hull', plural: 'hulls', singular: 'hull' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        additionalPrinterColumns: [
          { name: 'READY', type: 'string', jsonPath: '.status.conditions[?(@.type=="READY")].status' },
        ],
        schema: { openAPIV3Schema: { type: 'object' } },
      },
    ],
  },
};

interface Items {
  items: { metadata: { labels?: Record<string, string> }; status: object }[];
}

describe('GET :group/:version/:plural/:object/diagnosis', () => {
  let app: TestApp;
  let api: ResourceApi;
  const of = (rest: string): string => `/api/v1/clusters/shop/resources/${rest}`;
  const diagnosis = async (path: string, namespace = 'default'): Promise<DiagnosisDto> =>
    await app.client.get<DiagnosisDto>(of(`${path}/diagnosis?namespace=${namespace}`));
  const put = async (
    object: object,
    plural: string,
    { group = '', namespace = null }: { group?: string; namespace?: string | null } = {},
  ): Promise<KubernetesObject> => {
    const { name } = (object as KubernetesObject).metadata;
    const reference = { group, version: 'v1', plural, namespace, name };
    return (await api.apply(reference, object as KubernetesObject)).object;
  };
  const messages = ({ causes }: DiagnosisDto): [CauseDto['code'], string][] =>
    causes.map(({ code, message }) => [code, message]);

  beforeAll(async () => {
    app = await startApp();
    await createCluster(app.client, 'shop', { workers: 1 });
    ({ api } = await app.nest.get(ClusterResources, { strict: false }).open('shop'));
  });

  afterAll(() => app.stop());

  const withResponses = async (
    path: RegExp,
    change: (body: unknown) => void,
    run: () => Promise<void>,
  ): Promise<void> => {
    await withChangedResponses(app.nest.get(DemoWorld).apiServer('shop'), path, change, run);
  };

  it('names the claim that Pods of a Deployment wait for', async () => {
    const claim = {
      spec: { storageClassName: 'fast', accessModes: ['ReadWriteOnce'] },
      status: { phase: 'Pending' },
    };
    const volumes = [{ name: 'data', persistentVolumeClaim: { claimName: 'waiting' } }];
    const template = {
      metadata: { labels: { app: 'waiting' } },
      spec: { volumes, containers: [{ name: 'main', image: 'nginx:1' }] },
    };
    const manifest = (apiVersion: string, kind: string, more: object): object => ({
      ...{ apiVersion, kind, metadata: { name: 'waiting', namespace: 'default' } },
      ...more,
    });
    const unbound = (body: unknown): void => {
      for (const { status } of (body as Items).items) {
        Object.assign(status, {
          phase: 'Pending',
          containerStatuses: [],
          conditions: [
            {
              ...{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable' },
              message: '0/2 nodes are available: pod has unbound immediate PersistentVolumeClaims. not found',
            },
          ],
        });
      }
    };
    await withResponses(/\/pods\?.*app%3Dwaiting/, unbound, async () => {
      await withResponses(
        /\/persistentvolumeclaims\?/,
        (body) => {
          for (const each of (body as Items).items) each.status = { phase: 'Pending' };
        },
        async () => {
          await put(manifest('v1', 'PersistentVolumeClaim', claim), 'persistentvolumeclaims', {
            namespace: 'default',
          });
          await put(
            manifest('apps/v1', 'Deployment', {
              spec: { selector: { matchLabels: { app: 'waiting' } }, template },
            }),
            'deployments',
            { group: 'apps', namespace: 'default' },
          );
          await app.client.until<DiagnosisDto>(
            of('apps/v1/deployments/waiting/diagnosis?namespace=default'),
            (found) =>
              messages(found).some(([, message]) =>
                message.includes('PersistentVolumeClaim waiting is not bound'),
              ),
          );
        },
      );
    });
  });

  it('names the finalizer that the deletion of a ConfigMap waits for', async () => {
    const metadata = { name: 'held', namespace: 'default', finalizers: ['case.test/keep'] };
    await put({ apiVersion: 'v1', kind: 'ConfigMap', metadata }, 'configmaps', { namespace: 'default' });
    await api.remove({
      group: '',
      version: 'v1',
      plural: 'configmaps',
      namespace: 'default',
      name: 'held',
    });
    const found = await diagnosis('core/v1/configmaps/held');
    expect([found.healthy, messages(found)]).toEqual([
      false,
      [['being_deleted', 'ConfigMap held is being deleted: waiting for the finalizer case.test/keep.']],
    ]);
    expect(found.causes[0]?.next_step).toContain('finalizer');
  });

  it('quotes what the deletion of a Namespace waits for', async () => {
    await put({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'never-ends' } }, 'namespaces');
    const change = (body: unknown): void => {
      const object = body as KubernetesObject;
      object.metadata.deletionTimestamp = '2026-11-01T00:00:00Z';
      const type = 'NamespaceDeletionDiscoveryFailure';
      object['status'] = { conditions: [{ type, status: 'True', message: DISCOVERY }] };
    };
    await withResponses(/\/namespaces\/never-ends$/, change, async () => {
      expect(await diagnosis('core/v1/namespaces/never-ends')).toMatchObject({
        healthy: false,
        causes: [{ code: 'being_deleted', message: `Namespace never-ends is being deleted: ${DISCOVERY}.` }],
      });
    });
  });

  it('quotes why the ReplicaSet of a Deployment cannot create its Pods', async () => {
    const change = (body: unknown): void => {
      const conditions = [
        { type: 'ReplicaFailure', status: 'True', reason: 'FailedCreate', message: REFUSED },
      ];
      if ('items' in (body as object)) {
        for (const item of (body as Items).items) item.status = { replicas: 0, conditions };
      } else {
        (body as KubernetesObject)['status'] = { conditions };
      }
    };
    await withResponses(/\/(deployments\/web$|replicasets\?)/, change, async () => {
      const found = await diagnosis('apps/v1/deployments/web', 'shop');
      expect([found.healthy, found.causes[0]]).toMatchObject([
        false,
        { code: 'pods_not_created', object: { kind: 'ReplicaSet', plural: 'replicasets' } },
      ]);
      expect(found.causes[0]?.message).toContain(`cannot create Pods: ${REFUSED}.`);
      expect(found.causes).toHaveLength(1);
    });
  });

  it('judges a custom resource by its conditions and quotes them, also for what it owns', async () => {
    await put(CRD, 'customresourcedefinitions', { group: 'apiextensions.k8s.io' });
    const conditions = [{ type: 'READY', status: 'False', reason: 'Stuck', message: 'keel missing' }];
    const place = { group: 'yard.test', namespace: 'default' };
    const big = { apiVersion: 'yard.test/v1', kind: 'Hull', metadata: { name: 'big', namespace: 'default' } };
    const { metadata } = await put({ ...big, status: { conditions } }, 'hulls', place);
    const { rows } = await app.client.get<ResourceTableDto>(of('yard.test/v1/hulls'));
    expect(rows).toMatchObject([{ name: 'big', health: 'failed' }]);
    const report = ['reported_failure', 'Hull big reports: READY is False (Stuck): keel missing.'];
    const found = await diagnosis('yard.test/v1/hulls/big');
    expect([found.healthy, messages(found)]).toEqual([false, [report]]);

    const owner = { apiVersion: 'yard.test/v1', kind: 'Hull', name: 'big', uid: metadata.uid };
    const mast = {
      ...big,
      metadata: { name: 'mast', namespace: 'default', ownerReferences: [{ ...owner, controller: true }] },
      status: { conditions: [{ type: 'Ready', status: 'False' }] },
    };
    await put(mast, 'hulls', place);
    expect(messages(await diagnosis('yard.test/v1/hulls/mast'))).toContainEqual(report);
  });

  it('lists the events of an object without those of a deleted one of the same name', async () => {
    const twin = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'twin', namespace: 'default' } };
    const { metadata } = await put(twin, 'configmaps', { namespace: 'default' });
    for (const [name, uid] of [
      ['twin.new', metadata.uid],
      ['twin.old', 'f0000000-0000-4000-8000-000000000000'],
    ]) {
      const event = {
        apiVersion: 'v1',
        kind: 'Event',
        metadata: { name, namespace: 'default' },
        involvedObject: { apiVersion: 'v1', kind: 'ConfigMap', name: 'twin', namespace: 'default', uid },
        type: 'Warning',
        reason: 'Checked',
        message: `about ${uid}`,
      };
      await put(event, 'events', { namespace: 'default' });
    }
    const names = async (): Promise<string[]> => {
      const path = of('core/v1/configmaps/twin/events?namespace=default');
      return (await app.client.get<ResourceTableDto>(path)).rows.map(({ name }) => name).sort();
    };
    expect(await names()).toEqual(['twin.new']);
    expect(messages(await diagnosis('core/v1/configmaps/twin'))).toEqual([
      ['reported_failure', `ConfigMap twin reports: Checked: about ${metadata.uid}.`],
    ]);
    await api.remove({
      group: '',
      version: 'v1',
      plural: 'configmaps',
      namespace: 'default',
      name: 'twin',
    });
    expect(await names()).toEqual(['twin.new', 'twin.old']);
  });
});
