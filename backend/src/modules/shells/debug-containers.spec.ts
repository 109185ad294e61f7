import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import { ScriptedResources } from '../../../../test/support/kubernetes/scripted-resources.js';
import { DomainError } from '../../core/errors/index.js';
import { PODS } from '../../drivers/kubernetes/index.js';
import { addDebugContainer, waitForContainer } from './debug-containers.js';

const DEBUG = {
  pod: { namespace: 'shop', name: 'web-1' },
  image: 'busybox:1.37',
  target: 'web',
  isRunning: true,
};

const PATCHED = { object: { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'web-1' } }, warnings: [] };

describe('debug containers', () => {
  let api: ScriptedResources;

  beforeEach(() => {
    api = new ScriptedResources();
    api.objects.set('pods/web-1', {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'web-1' },
      spec: { nodeName: 'shop-worker' },
    });
  });

  const stateOf = (name: string, state: object, spec: unknown = {}): void => {
    const status = { ephemeralContainerStatuses: [{ name, state }] };
    const metadata = { name: 'web-1' };
    api.objects.set('pods/web-1', { apiVersion: 'v1', kind: 'Pod', metadata, spec, status });
  };

  it('are added to the Pod with the processes of the target, and awaited', async () => {
    const name = await addDebugContainer(api, DEBUG);
    expect(api.patched).toMatchObject([
      {
        reference: { plural: 'pods', namespace: 'shop', name: 'web-1' },
        change: {
          spec: {
            ephemeralContainers: [
              {
                name,
                image: 'busybox:1.37',
                targetContainerName: 'web',
                securityContext: { capabilities: { add: ['SYS_PTRACE'] } },
              },
            ],
          },
        },
      },
    ]);
    stateOf(name, { waiting: { reason: 'ContainerCreating' } });
    const started = waitForContainer(api, DEBUG, name);
    stateOf(name, { running: {} });
    await started;
  });

  const forbidden = new DomainError('resource_forbidden', 'violates PodSecurity "restricted:latest"');

  it('are checked by the server before they are added, without a capability that it forbids', async () => {
    const patch = jest.spyOn(api, 'patch');
    patch.mockRejectedValueOnce(forbidden).mockResolvedValueOnce(PATCHED);
    await addDebugContainer(api, DEBUG);
    expect(patch.mock.calls.map(([, , , options]) => options?.dryRun)).toEqual([true, true, false]);
    expect(JSON.stringify(api.patched)).not.toContain('SYS_PTRACE');
  });

  it('are not added if the server refuses them', async () => {
    const patch = jest.spyOn(api, 'patch').mockRejectedValue(forbidden);
    await expect(addDebugContainer(api, DEBUG)).rejects.toThrow('violates PodSecurity "restricted:latest"');
    expect(patch.mock.calls.map(([, , , options]) => options?.dryRun)).toEqual([true, true]);
  });

  it.each([
    [{ status: { phase: 'Pending' } }, 'Pod web-1 is not on a node yet'],
    [{ spec: { nodeName: 'n' }, status: { phase: 'Succeeded' } }, 'Pod web-1 has ended (Succeeded)'],
  ])('are not added where they cannot start: %j', async (pod, reason) => {
    api.objects.set('pods/web-1', { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'web-1' }, ...pod });
    await expect(addDebugContainer(api, DEBUG)).rejects.toThrow(reason);
    expect(api.patched).toEqual([]);
  });

  it('are not added again while one with the same image waits to start', async () => {
    const name = await addDebugContainer(api, DEBUG);
    const { spec } = await api.read({ ...PODS, ...DEBUG.pod });
    stateOf(name, { waiting: { reason: 'ImagePullBackOff' } }, spec);
    expect(await addDebugContainer(api, DEBUG)).toBe(name);
    expect(await addDebugContainer(api, { ...DEBUG, image: 'alpine:3' })).not.toBe(name);
    stateOf(name, { terminated: { exitCode: 0 } }, spec);
    expect(await addDebugContainer(api, DEBUG)).not.toBe(name);
  });

  it.each([
    [{ waiting: { reason: 'ErrImagePull', message: 'not found' } }, 'ErrImagePull: not found.'],
    [{ waiting: { reason: 'InvalidImageName' } }, 'InvalidImageName.'],
    [{ terminated: { reason: 'StartError', message: 'exec: "sh": no such file' } }, 'StartError: exec: "sh"'],
  ])('report why they do not start: %j', async (state, reason) => {
    stateOf('debugger', state);
    await expect(waitForContainer(api, DEBUG, 'debugger')).rejects.toThrow(
      `The debug container with the image busybox:1.37 did not start: ${reason}`,
    );
  });
});
