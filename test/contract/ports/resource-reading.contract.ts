import { describe, expect } from '@jest/globals';
import type {
  KubernetesObject,
  TableChange,
  TypeName,
} from '../../../backend/src/drivers/kubernetes/index.js';
import { waitFor } from '../../support/wait-for.js';
import {
  CONFIG_MAPS,
  configMap,
  NAMESPACE,
  ownedBy,
  PODS,
  type ResourceSubject,
} from '../support/resource-subject.js';

const WIDGETS: TypeName = { group: 'contract.slipway.dev', version: 'v1', plural: 'widgets' };

export function resourceReadingContract(subject: ResourceSubject): void {
  describe('resource types', () => {
    subject.check('list each kind with its path, scope and short names', async () => {
      const types = await subject.api.types();
      expect(types).toEqual(
        expect.arrayContaining([
          expect.objectContaining({
            ...PODS,
            kind: 'Pod',
            namespaced: true,
            shortNames: ['po'],
            verbs: expect.arrayContaining(['list', 'watch', 'get', 'delete']) as unknown,
            custom: false,
          }),
          expect.objectContaining({ plural: 'nodes', kind: 'Node', namespaced: false }),
          expect.objectContaining({
            group: 'apps',
            version: 'v1',
            plural: 'deployments',
            kind: 'Deployment',
          }),
          expect.objectContaining({
            group: 'rbac.authorization.k8s.io',
            plural: 'clusterroles',
            custom: false,
          }),
        ]),
      );
      expect(types.filter(({ plural }) => plural.includes('/'))).toEqual([]);
      const names = types.map(({ group, plural }) => `${plural}.${group}`);
      expect(new Set(names).size).toBe(names.length);
    });

    subject.check('report kinds that are not served', async () => {
      const nothing = { group: 'nothing.example', version: 'v1', plural: 'nothings' };
      for (const ask of [() => subject.api.type(nothing), () => subject.api.table(nothing)]) {
        await expect(ask()).rejects.toMatchObject({
          code: 'resource_type_not_found',
          message: expect.stringContaining('nothings.nothing.example') as unknown,
        });
      }
    });

    subject.check('include a custom kind soon after its CRD was created, with its columns', async () => {
      await subject.api.apply(
        {
          group: 'apiextensions.k8s.io',
          version: 'v1',
          plural: 'customresourcedefinitions',
          namespace: null,
          name: 'widgets.contract.slipway.dev',
        },
        WIDGET_DEFINITION,
      );
      await waitFor(
        async () => await subject.api.type(WIDGETS).then(Boolean, () => false),
        'the custom kind to be served',
        subject.patienceMs,
      );
      expect(await subject.api.type(WIDGETS)).toMatchObject({
        kind: 'Widget',
        namespaced: true,
        custom: true,
      });
      const widget = { ...WIDGETS, namespace: NAMESPACE, name: 'large' };
      // A server serves the objects of a new kind after a moment.
      await waitFor(
        async () =>
          await subject.api
            .apply(widget, {
              apiVersion: 'contract.slipway.dev/v1',
              kind: 'Widget',
              metadata: { name: 'large', namespace: NAMESPACE },
              spec: { size: 42 },
            })
            .then(Boolean, () => false),
        'a widget',
        subject.patienceMs,
      );
      const { columns, rows } = await subject.api.table(WIDGETS);
      expect(columns.map(({ name }) => name)).toEqual(['Name', 'Size', 'Age']);
      expect(rows).toMatchObject([
        { name: 'large', namespace: NAMESPACE, cells: ['large', 42, expect.any(String)] },
      ]);
    });
  });

  describe('tables', () => {
    const names = ['a', 'b', 'c', 'd', 'e'].map((letter) => `page-${letter}`);

    subject.check('are paged without gaps', async () => {
      for (const name of names) {
        await subject.make(name, {
          labels: { contract: 'page', half: name < 'page-c' ? 'first' : 'second' },
        });
      }
      const whole = await subject.table();
      expect(whole).toMatchObject({ continue: null, remaining: 0 });
      const first = await subject.table({ limit: 2 });
      expect(first.rows).toHaveLength(2);
      expect(first.remaining).toBe(whole.rows.length - 2);
      const read = first.rows.map(({ name }) => name);
      let next = first.continue;
      while (next !== null) {
        const page = await subject.table({ limit: 2, continue: next });
        read.push(...page.rows.map(({ name }) => name));
        next = page.continue;
      }
      expect(read).toEqual(whole.rows.map(({ name }) => name));
    });

    subject.check('contain the identity and controller of each object', async () => {
      const owner = await subject.make('row-owner');
      const object = await subject.make('row', {
        labels: { of: 'contract' },
        ownerReferences: [ownedBy(owner, true)],
      });
      const { columns, rows } = await subject.table({ fieldSelector: 'metadata.name=row' });
      expect(columns.map(({ name }) => name)).toEqual(['Name', 'Data', 'Age']);
      expect(rows).toEqual([
        {
          uid: object.metadata.uid,
          namespace: NAMESPACE,
          name: 'row',
          createdAt: object.metadata.creationTimestamp,
          deletedAt: null,
          labels: { of: 'contract' },
          owner: { kind: 'ConfigMap', name: 'row-owner' },
          cells: ['row', 1, expect.any(String)],
        },
      ]);
    });

    subject.check('are filtered by label, field and namespace', async () => {
      const labelled = await subject.table({ labelSelector: 'contract=page,half!=second' });
      expect(labelled.rows.map(({ name }) => name)).toEqual(['page-a', 'page-b']);
      expect((await subject.table({ labelSelector: 'contract=nothing' })).rows).toEqual([]);
      const named = await subject.api.table(CONFIG_MAPS, { fieldSelector: 'metadata.name=page-c' });
      expect(named.rows.map(({ namespace, name }) => `${namespace}/${name}`)).toEqual([
        `${NAMESPACE}/page-c`,
      ]);
      const pods = await subject.api.table(PODS, { namespace: 'kube-system', limit: 500 });
      expect(new Set(pods.rows.map(({ namespace }) => namespace))).toEqual(new Set(['kube-system']));
      expect(pods.columns.filter(({ priority }) => priority === 0).map(({ name }) => name)).toEqual([
        'Name',
        'Ready',
        'Status',
        'Restarts',
        'Age',
      ]);
    });

    subject.check('reject an invalid selector, and a page of another list', async () => {
      await expect(subject.table({ labelSelector: '!!==' })).rejects.toMatchObject({
        code: 'resource_refused',
      });
      await expect(subject.table({ limit: 2, continue: 'nonsense' })).rejects.toMatchObject({
        code: 'page_expired',
      });
    });

    subject.check('full objects have no managedFields, over any number of pages', async () => {
      const objects = await subject.api.list(CONFIG_MAPS, {
        namespace: NAMESPACE,
        labelSelector: 'contract=page',
      });
      expect(objects.map(({ metadata }) => metadata.name)).toEqual(names);
      expect(objects[0]).toMatchObject({ apiVersion: 'v1', kind: 'ConfigMap', data: { text: 'one' } });
      expect(objects[0]?.metadata).not.toHaveProperty('managedFields');
      expect(await subject.api.list(CONFIG_MAPS, { namespace: NAMESPACE, limit: 3 })).toHaveLength(3);
    });
  });

  describe('watches', () => {
    subject.check('report creations, changes and deletions in order, until the watch ends', async () => {
      const { resourceVersion } = await subject.table();
      const seen: TableChange[] = [];
      let version = resourceVersion;
      const viewer = new AbortController();
      const ending = subject.api.watch(CONFIG_MAPS, {
        resourceVersion,
        namespace: NAMESPACE,
        signal: viewer.signal,
        onChanges: (changes, reached) => {
          seen.push(...changes);
          version = reached;
        },
      });
      const { metadata } = await subject.make('watched');
      await subject.api.patch(configMap('watched'), 'merge', { data: { more: 'two' } });
      await subject.api.remove(configMap('watched'));
      const done = (): boolean => seen.some(({ type }) => type === 'remove');
      await waitFor(done, 'the deletion event', subject.patienceMs);
      viewer.abort();
      expect(await ending).toBe('closed');
      expect(seen).toEqual([
        {
          type: 'upsert',
          row: expect.objectContaining({
            name: 'watched',
            cells: ['watched', 1, expect.any(String)],
          }) as unknown,
        },
        {
          type: 'upsert',
          row: expect.objectContaining({
            name: 'watched',
            cells: ['watched', 2, expect.any(String)],
          }) as unknown,
        },
        { type: 'remove', uid: metadata.uid },
      ]);
      expect(version).not.toBe(resourceVersion);
    });

    subject.check('resume from the last version', async () => {
      const { resourceVersion } = await subject.table();
      await subject.make('meanwhile');
      const viewer = new AbortController();
      const seen: TableChange[] = [];
      const ending = subject.api.watch(CONFIG_MAPS, {
        resourceVersion,
        namespace: NAMESPACE,
        signal: viewer.signal,
        onChanges: (changes) => void seen.push(...changes),
      });
      await waitFor(() => seen.length > 0, 'what happened in between', subject.patienceMs);
      viewer.abort();
      await ending;
      expect(seen).toMatchObject([{ type: 'upsert', row: { name: 'meanwhile' } }]);
    });

    subject.check('report when a version is too old to resume', async () => {
      // Servers do not keep early versions of a new kind.
      const watch = {
        resourceVersion: '1',
        signal: AbortSignal.timeout(subject.deadlineMs),
        onChanges: () => undefined,
      };
      expect(await subject.api.watch(WIDGETS, watch)).toBe('expired');
    });

    subject.check('reject a kind that is not served', async () => {
      const nothing = { group: 'nothing.example', version: 'v1', plural: 'nothings' };
      const watch = {
        resourceVersion: '1',
        signal: AbortSignal.timeout(subject.deadlineMs),
        onChanges: () => undefined,
      };
      await expect(subject.api.watch(nothing, watch)).rejects.toMatchObject({
        code: 'resource_type_not_found',
      });
    });
  });
}

const WIDGET_DEFINITION: KubernetesObject = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'widgets.contract.slipway.dev' },
  spec: {
    group: 'contract.slipway.dev',
    scope: 'Namespaced',
    names: { plural: 'widgets', singular: 'widget', kind: 'Widget', listKind: 'WidgetList' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: { spec: { type: 'object', properties: { size: { type: 'integer' } } } },
          },
        },
        additionalPrinterColumns: [
          { name: 'Size', type: 'integer', jsonPath: '.spec.size' },
          { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
        ],
      },
    ],
  },
};
