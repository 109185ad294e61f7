import { describe, expect, it } from '@jest/globals';
import type { KubernetesObject, ResourceApi } from '../../../drivers/kubernetes/index.js';
import { findPod } from './pod-choice.js';

const TO = { plural: 'deployments', namespace: 'shop', object: 'web', port: '80' } as const;

function pod(
  name: string,
  minute: number,
  changes: { ready?: boolean; deleted?: boolean } = {},
): KubernetesObject {
  const { ready = true, deleted = false } = changes;
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name,
      creationTimestamp: `2026-01-01T00:0${minute}:00Z`,
      ...(deleted && { deletionTimestamp: '2026-01-01T01:00:00Z' }),
    },
    status: { phase: 'Running', conditions: [{ type: 'Ready', status: ready ? 'True' : 'False' }] },
  };
}

/** Lists the same Pods for any selector, which it keeps. */
function apiWith(pods: KubernetesObject[], selectors: (string | undefined)[] = []): ResourceApi {
  return {
    list: (_type: unknown, { labelSelector }: { labelSelector?: string }) => {
      selectors.push(labelSelector);
      return Promise.resolve(pods);
    },
  } as unknown as ResourceApi;
}

function workload(selector: object): KubernetesObject {
  return { metadata: { name: 'web' }, spec: { selector } } as unknown as KubernetesObject;
}

describe('findPod', () => {
  const web = workload({ matchLabels: { app: 'web' } });
  const pods = [
    pod('old', 1),
    pod('new', 3),
    pod('ending', 4, { deleted: true }),
    pod('unready', 5, { ready: false }),
  ];

  it('takes the newest ready Pod, but stays with the preferred one while it is ready', async () => {
    const api = apiWith(pods);
    const names = await Promise.all(
      [undefined, 'old', 'ending', 'unready'].map(
        async (preferred) => (await findPod(api, TO, web, preferred)).metadata.name,
      ),
    );
    expect(names).toEqual(['new', 'old', 'new', 'new']);
  });

  it('selects by labels and requirements', async () => {
    const selectors: (string | undefined)[] = [];
    const matchExpressions = [
      { key: 'tier', operator: 'In', values: ['a', 'b'] },
      { key: 'track', operator: 'NotIn', values: ['old'] },
      { key: 'app', operator: 'Exists' },
      { key: 'legacy', operator: 'DoesNotExist' },
    ];
    await findPod(apiWith(pods, selectors), TO, workload({ matchLabels: { app: 'web' }, matchExpressions }));
    expect(selectors).toEqual(['app=web,tier in (a,b),track notin (old),app,!legacy']);
  });

  it('explains why no Pod fits', async () => {
    await expect(findPod(apiWith([pod('unready', 1, { ready: false })]), TO, web)).rejects.toThrow(
      'has no ready Pod',
    );
    await expect(findPod(apiWith(pods), TO, workload({}))).rejects.toThrow('selects no Pods');
    const ending = pod('web', 1, { deleted: true });
    await expect(findPod(apiWith([]), { ...TO, plural: 'pods' }, ending)).rejects.toThrow('is not running');
  });
});
