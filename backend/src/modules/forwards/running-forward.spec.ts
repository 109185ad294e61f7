import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { LOOPBACK, type KubernetesObject, type ResourceApi } from '../../drivers/kubernetes/index.js';
import { newOrigin, RunningForward, type ForwardSpec } from './running-forward.js';

const POD: KubernetesObject = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'web', namespace: 'default' },
  spec: { containers: [] },
  status: { phase: 'Running' },
};

describe('RunningForward', () => {
  let clusterUid: string;
  let saved: ForwardSpec[];
  let forward: RunningForward;
  let now: number;

  beforeEach(async () => {
    clusterUid = 'first';
    saved = [];
    now = 0;
    jest.spyOn(performance, 'now').mockImplementation(() => now);
    const api = { read: () => Promise.resolve(POD) } as unknown as ResourceApi;
    forward = new RunningForward(
      {
        id: 'f1',
        key: { name: 'shop', runtime: 'docker' },
        to: { plural: 'pods', namespace: 'default', object: 'web', port: '80' },
        protocol: 'http',
        origin: newOrigin(),
        clusterUid: null,
        hosts: [],
        createdAt: '2026-01-01T00:00:00.000Z',
      },
      0,
      {
        open: () => Promise.resolve({ api, uid: clusterUid }),
        refusal: () => Promise.resolve(null),
        assertCapacity: () => undefined,
        save: (spec) => saved.push(spec),
      },
    );
    await forward.listen(LOOPBACK);
  });

  afterEach(() => {
    forward.close();
    jest.restoreAllMocks();
  });

  it('keeps its origin for the cluster that it meets first, and takes another one in a new cluster', async () => {
    const { url } = forward;
    await forward.check();
    now += 10_000;
    await forward.check();
    expect([forward.url, saved.map((spec) => spec.clusterUid)]).toEqual([url, ['first']]);

    clusterUid = 'second';
    now += 10_000;
    await forward.check();
    expect(forward.url).not.toBe(url);
    expect(forward.url).toMatch(/^http:\/\/[a-z]{12}\.localhost:\d+$/);
    expect(forward.issueLink()?.startsWith(`${forward.url ?? ''}/?`)).toBe(true);
    expect(saved.at(-1)).toMatchObject({ clusterUid: 'second', origin: forward.spec.origin });
  });
});
