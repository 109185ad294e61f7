import { beforeEach, describe, expect, it } from '@jest/globals';
import { ScriptedResources } from '../../../../test/support/kubernetes/scripted-resources.js';
import { ContainerEnd } from './container-end.js';

const POD = { namespace: 'shop', name: 'web-1' };
const KILLED = { terminated: { exitCode: 137, reason: 'OOMKilled' } };

describe('the end of a container', () => {
  let api: ScriptedResources;

  const report = (status: object): void => {
    const containerStatuses = [
      { name: 'sidecar', restartCount: 9 },
      { name: 'web', ...status },
    ];
    const metadata = { name: 'web-1' };
    api.objects.set('pods/web-1', { apiVersion: 'v1', kind: 'Pod', metadata, status: { containerStatuses } });
  };

  beforeEach(() => {
    api = new ScriptedResources();
    report({ restartCount: 2, state: { running: {} }, lastState: { terminated: { exitCode: 1 } } });
  });

  it.each([
    [
      'the container restarted (exit code 137, OOMKilled)',
      { restartCount: 3, state: { running: {} }, lastState: KILLED },
    ],
    ['the container ended (exit code 137, OOMKilled)', { restartCount: 2, state: KILLED }],
    [
      'the container ended (exit code 143)',
      {
        restartCount: 2,
        state: { waiting: { reason: 'CrashLoopBackOff' } },
        lastState: { terminated: { exitCode: 143, reason: 'Error' } },
      },
    ],
    [null, { restartCount: 2, state: { running: {} }, lastState: KILLED }],
  ])('is described as %p', async (expected, status) => {
    const watched = await ContainerEnd.watch(api, POD, 'web');
    report(status);
    expect(await watched.describe(300)).toBe(expected);
  });

  it('waits for the report of the node, and notices that the Pod was deleted', async () => {
    const watched = await ContainerEnd.watch(api, POD, 'web');
    setTimeout(() => report({ restartCount: 3, lastState: KILLED }), 300);
    expect(await watched.describe()).toContain('restarted');
    api.objects.clear();
    expect(await watched.describe()).toBe('the Pod was deleted');
  });
});
