import { describe, expect } from '@jest/globals';
import { waitFor } from '../../support/wait-for.js';
import {
  CONFIG_MAPS,
  configMap,
  configMapObject,
  NAMESPACE,
  ownedBy,
  PODS,
  type ResourceSubject,
} from '../support/resource-subject.js';

export function resourceWritingContract(subject: ResourceSubject): void {
  describe('one object', () => {
    subject.check('is made, read, replaced, patched and removed', async () => {
      const reference = configMap('life');
      const first = await subject.api.apply(reference, configMapObject('life', { text: 'one' }));
      expect(first).toMatchObject({ created: true, object: { kind: 'ConfigMap', data: { text: 'one' } } });
      expect(await subject.api.apply(reference, configMapObject('life', { text: 'one' }))).toMatchObject({
        created: false,
        object: { metadata: { resourceVersion: first.object.metadata.resourceVersion } },
      });
      const read = await subject.api.read(reference);
      expect(read).toEqual(first.object);
      expect(read.metadata).not.toHaveProperty('managedFields');
      const replaced = await subject.api.replace(reference, { ...read, data: { text: 'two' } });
      expect(replaced).toMatchObject({ created: false, object: { data: { text: 'two' } } });
      await expect(
        subject.api.replace(reference, { ...read, data: { text: 'three' } }),
      ).rejects.toMatchObject({
        code: 'resource_conflict',
        message: expect.stringMatching(/changed by somebody else/) as unknown,
      });
      expect(
        (await subject.api.patch(reference, 'merge', { data: { text: null, more: 'x' } })).object,
      ).toMatchObject({
        data: { more: 'x' },
      });
      expect(await subject.api.remove(reference)).toEqual({ gone: true });
      await expect(subject.api.read(reference)).rejects.toMatchObject({ code: 'resource_not_found' });
      await expect(subject.api.remove(reference)).rejects.toMatchObject({ code: 'resource_not_found' });
    });

    subject.check('is only looked at by a dry run', async () => {
      const reference = configMap('dry');
      const made = await subject.api.apply(reference, configMapObject('dry', { text: 'one' }), {
        dryRun: true,
      });
      expect(made).toMatchObject({ created: true, object: { data: { text: 'one' } } });
      expect(await subject.isGone(reference)).toBe(true);
      await subject.make('dry');
      const before = await subject.api.read(reference);
      const after = { ...before, data: { text: 'two' } };
      expect((await subject.api.replace(reference, after, { dryRun: true })).object).toMatchObject({
        data: { text: 'two' },
      });
      await subject.api.patch(reference, 'merge', { data: { text: 'three' } }, { dryRun: true });
      await subject.api.remove(reference, { dryRun: true });
      expect(await subject.api.read(reference)).toEqual(before);
    });

    subject.check('keeps what another manager holds, who is named, until it is taken by force', async () => {
      const reference = configMap('shared');
      const { metadata } = await subject.make('shared');
      // The same program that replaces is another manager than it is when it applies.
      await subject.api.replace(reference, {
        ...configMapObject('shared', { text: 'by hand' }),
        metadata: { ...metadata, annotations: { by: 'hand' } },
      });
      const wanted = configMapObject('shared', { text: 'applied' });
      await expect(subject.api.apply(reference, wanted)).rejects.toMatchObject({
        code: 'resource_conflict',
        message: expect.stringContaining('.data.text (slipway)') as unknown,
        details: { conflicts: [{ manager: 'slipway', field: '.data.text' }] },
      });
      expect((await subject.api.apply(reference, wanted, { force: true })).object).toMatchObject({
        data: { text: 'applied' },
        metadata: { annotations: { by: 'hand' } },
      });
    });

    subject.check('is removed only if it is the one that was meant', async () => {
      await subject.make('meant');
      await expect(
        subject.api.remove(configMap('meant'), { uid: '00000000-0000-0000-0000-000000000000' }),
      ).rejects.toMatchObject({ code: 'resource_conflict' });
      expect(await subject.isGone(configMap('meant'))).toBe(false);
    });

    subject.check('waits for its finalizers', async () => {
      await subject.make('finalized', { finalizers: ['contract.slipway.dev/wait'] });
      expect(await subject.api.remove(configMap('finalized'))).toEqual({ gone: false });
      const { rows } = await subject.table({ fieldSelector: 'metadata.name=finalized' });
      expect(rows[0]?.deletedAt).toMatch(/^\d{4}-/);
      await subject.api.patch(configMap('finalized'), 'merge', { metadata: { finalizers: null } });
      expect(await subject.isGone(configMap('finalized'))).toBe(true);
    });

    subject.check('takes what it owns along, or leaves it behind', async () => {
      for (const propagation of ['Background', 'Orphan'] as const) {
        const name = propagation.toLowerCase();
        const owner = await subject.make(`owner-${name}`);
        await subject.make(`owned-${name}`, { ownerReferences: [ownedBy(owner)] });
        await subject.api.remove(configMap(`owner-${name}`), { propagation });
        await waitFor(
          () => subject.isGone(configMap(`owner-${name}`)),
          'the owner to go',
          subject.patienceMs,
        );
      }
      await waitFor(
        () => subject.isGone(configMap('owned-background')),
        'what it owned to go',
        subject.patienceMs,
      );
      const left = await subject.api.read(configMap('owned-orphan'));
      expect(left.metadata.ownerReferences ?? []).toEqual([]);
    });

    subject.check('is scaled by its part for that', async () => {
      const deployment = {
        group: 'apps',
        version: 'v1',
        plural: 'deployments',
        namespace: 'kube-system',
        name: 'coredns',
      };
      const scaled = await subject.api.patch(
        deployment,
        'merge',
        { spec: { replicas: 7 } },
        { subresource: 'scale', dryRun: true },
      );
      expect(scaled.object).toMatchObject({ kind: 'Scale', spec: { replicas: 7 } });
    });
  });

  describe('refusals', () => {
    subject.check('tell which field the server does not accept', async () => {
      const service = { group: '', version: 'v1', plural: 'services', namespace: NAMESPACE, name: 'wrong' };
      const wrong = {
        apiVersion: 'v1',
        kind: 'Service',
        metadata: { name: 'wrong', namespace: NAMESPACE },
        spec: { ports: [{ port: 99_999 }] },
      };
      await expect(subject.api.apply(service, wrong)).rejects.toMatchObject({
        code: 'resource_refused',
        message: expect.stringContaining('spec.ports[0].port') as unknown,
        details: expect.arrayContaining([
          { field: 'spec.ports[0].port', problem: expect.stringContaining('65535') as unknown },
        ]) as unknown,
      });
    });

    subject.check('tell of a namespace that is not there', async () => {
      const reference = { ...configMap('homeless'), namespace: 'contract-nowhere' };
      await expect(
        subject.api.apply(reference, {
          apiVersion: 'v1',
          kind: 'ConfigMap',
          metadata: { name: 'homeless', namespace: 'contract-nowhere' },
        }),
      ).rejects.toMatchObject({
        code: 'resource_not_found',
        message: expect.stringContaining('contract-nowhere') as unknown,
      });
    });

    subject.check('never quote the value of a Secret', async () => {
      const reference = { ...CONFIG_MAPS, plural: 'secrets', namespace: NAMESPACE, name: 'wrong' };
      const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'wrong', namespace: NAMESPACE } };
      for (const wrong of [
        { ...secret, data: { token: 'not base64: canary' } },
        { ...secret, stringData: { token: { canary: 1 } } },
        { ...secret, type: 'kubernetes.io/dockerconfigjson', stringData: { '.dockerconfigjson': 'canary' } },
      ]) {
        const error = await subject.api.apply(reference, wrong).then(
          () => undefined,
          (thrown: unknown) => thrown as Error & { code: string; details?: unknown },
        );
        expect(error?.code).toBe('resource_refused');
        expect(`${error?.message} ${JSON.stringify(error?.details)} ${error?.stack}`).not.toContain('canary');
      }
    });

    subject.check('let nothing climb out of its path', async () => {
      for (const reference of [
        { ...configMap('x'), name: '..' },
        { ...configMap('x'), name: 'a/../../b' },
        { ...configMap('x'), namespace: '..' },
        { ...configMap('x'), plural: 'configmaps/../secrets' },
        { ...configMap('x'), version: '..' },
        { ...configMap('x'), group: '../api' },
      ]) {
        await expect(subject.api.read(reference)).rejects.toMatchObject({
          code: expect.stringMatching(/^resource_(type_)?not_found$/) as unknown,
        });
      }
    });
  });

  describe('pods', () => {
    subject.check('leave only as far as their disruption budget allows, which says why', async () => {
      const budget = {
        group: 'policy',
        version: 'v1',
        plural: 'poddisruptionbudgets',
        namespace: 'kube-system',
        name: 'contract-budget',
      };
      const pods = await subject.api.table(PODS, {
        namespace: 'kube-system',
        labelSelector: 'k8s-app=kube-dns',
      });
      const pod = { namespace: 'kube-system', name: pods.rows[0]?.name ?? '' };
      expect(await subject.api.evict(pod, { dryRun: true })).toEqual({ blocked: null });
      await subject.api.apply(budget, {
        apiVersion: 'policy/v1',
        kind: 'PodDisruptionBudget',
        metadata: { name: 'contract-budget', namespace: 'kube-system' },
        spec: { minAvailable: pods.rows.length, selector: { matchLabels: { 'k8s-app': 'kube-dns' } } },
      });
      let blocked: string | null = null;
      await waitFor(
        async () => (blocked = (await subject.api.evict(pod, { dryRun: true })).blocked) !== null,
        'the budget to count',
        subject.patienceMs,
      );
      expect(blocked).toContain('contract-budget');
      await subject.api.remove(budget);
      await expect(subject.api.evict({ ...pod, name: 'nobody' })).rejects.toMatchObject({
        code: 'resource_not_found',
      });
      expect(
        (await subject.api.table(PODS, { namespace: 'kube-system' })).rows.map(({ name }) => name),
      ).toContain(pod.name);
    });

    subject.check('are measured where somebody measures', async () => {
      const usage = await subject.api.usage();
      for (const measured of [...(usage?.pods ?? []), ...(usage?.nodes ?? [])]) {
        expect(measured.cpuMillicores).toBeGreaterThanOrEqual(0);
        expect(measured.memoryBytes).toBeGreaterThan(0);
      }
    });
  });
}
