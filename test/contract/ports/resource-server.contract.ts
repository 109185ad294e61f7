import { describe, expect } from '@jest/globals';
import { waitFor } from '../../support/wait-for.js';
import {
  CONFIG_MAPS,
  configMap,
  configMapObject,
  NAMESPACE,
  PODS,
  type ResourceSubject,
} from '../support/resource-subject.js';

/** Behavior of real API servers: field ownership, validation, disruption budgets. The demo does not imitate them. */
export function resourceServerContract(subject: ResourceSubject): void {
  describe('a real API server', () => {
    subject.check('keeps the fields of another manager unless forced, and names it', async () => {
      const reference = configMap('shared');
      const { metadata } = await subject.make('shared');
      // Update and apply are different field managers.
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

    subject.check('names the field that fails validation', async () => {
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

    subject.check('does not quote the value of a Secret', async () => {
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

    subject.check(
      'does not evict a pod that a disruption budget protects, and names the budget',
      async () => {
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
        await expect(subject.api.evict({ ...pod, name: 'unknown' })).rejects.toMatchObject({
          code: 'resource_not_found',
        });
        expect(
          (await subject.api.table(PODS, { namespace: 'kube-system' })).rows.map(({ name }) => name),
        ).toContain(pod.name);
      },
    );
  });
}
