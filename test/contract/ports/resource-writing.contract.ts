import { describe, expect } from '@jest/globals';
import { waitFor } from '../../support/wait-for.js';
import { configMap, configMapObject, ownedBy, type ResourceSubject } from '../support/resource-subject.js';

export function resourceWritingContract(subject: ResourceSubject): void {
  describe('an object', () => {
    subject.check('can be created, read, replaced, patched and deleted', async () => {
      const reference = configMap('life');
      const first = await subject.api.apply(reference, configMapObject('life', { text: 'one' }));
      expect(first).toMatchObject({ object: { kind: 'ConfigMap', data: { text: 'one' } } });
      expect(await subject.api.apply(reference, configMapObject('life', { text: 'one' }))).toMatchObject({
        object: { metadata: { resourceVersion: first.object.metadata.resourceVersion } },
      });
      const read = await subject.api.read(reference);
      expect(read).toEqual(first.object);
      expect(read.metadata).not.toHaveProperty('managedFields');
      const replaced = await subject.api.replace(reference, { ...read, data: { text: 'two' } });
      expect(replaced).toMatchObject({ object: { data: { text: 'two' } } });
      await expect(
        subject.api.replace(reference, { ...read, data: { text: 'three' } }),
      ).rejects.toMatchObject({
        code: 'resource_conflict',
        message: expect.stringMatching(/has changed since you read it/) as unknown,
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

    subject.check('is not changed by a dry run', async () => {
      const reference = configMap('dry');
      const made = await subject.api.apply(reference, configMapObject('dry', { text: 'one' }), {
        dryRun: true,
      });
      expect(made).toMatchObject({ object: { data: { text: 'one' } } });
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

    subject.check('is deleted only if its uid matches', async () => {
      await subject.make('meant');
      await expect(
        subject.api.remove(configMap('meant'), { uid: '00000000-0000-0000-0000-000000000000' }),
      ).rejects.toMatchObject({ code: 'resource_conflict' });
      expect(await subject.isGone(configMap('meant'))).toBe(false);
    });

    subject.check('waits for its finalizers on deletion', async () => {
      await subject.make('finalized', { finalizers: ['contract.slipway.dev/wait'] });
      expect(await subject.api.remove(configMap('finalized'))).toEqual({ gone: false });
      const { rows } = await subject.table({ fieldSelector: 'metadata.name=finalized' });
      expect(rows[0]?.deletedAt).toMatch(/^\d{4}-/);
      await subject.api.patch(configMap('finalized'), 'merge', { metadata: { finalizers: null } });
      expect(await subject.isGone(configMap('finalized'))).toBe(true);
    });

    subject.check('deletes or orphans its dependents', async () => {
      for (const propagation of ['Background', 'Orphan'] as const) {
        const name = propagation.toLowerCase();
        const owner = await subject.make(`owner-${name}`);
        await subject.make(`owned-${name}`, { ownerReferences: [ownedBy(owner)] });
        await subject.api.remove(configMap(`owner-${name}`), { propagation });
        await waitFor(
          () => subject.isGone(configMap(`owner-${name}`)),
          'the deletion of the owner',
          subject.patienceMs,
        );
      }
      await waitFor(
        () => subject.isGone(configMap('owned-background')),
        'the deletion of the dependents',
        subject.patienceMs,
      );
      const left = await subject.api.read(configMap('owned-orphan'));
      expect(left.metadata.ownerReferences ?? []).toEqual([]);
    });

    subject.check('is scaled through its scale subresource', async () => {
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

  describe('errors', () => {
    subject.check('report a missing namespace', async () => {
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

    subject.check('prevent path traversal', async () => {
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
    subject.check('have usage if metrics are available', async () => {
      const usage = await subject.api.usage();
      for (const measured of [...(usage?.pods ?? []), ...(usage?.nodes ?? [])]) {
        expect(measured.cpuMillicores).toBeGreaterThanOrEqual(0);
        expect(measured.memoryBytes).toBeGreaterThan(0);
      }
    });
  });
}
