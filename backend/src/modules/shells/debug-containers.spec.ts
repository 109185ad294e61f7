import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import { ScriptedResources } from '../../../../test/support/kubernetes/scripted-resources.js';
import { DomainError } from '../../core/errors/index.js';
import { addDebugContainer, waitForContainer } from './debug-containers.js';

const DEBUG = { pod: { namespace: 'shop', name: 'web-1' }, image: 'busybox:1.37', target: 'web' };

describe('debug containers', () => {
  let api: ScriptedResources;

  beforeEach(() => {
    api = new ScriptedResources();
    api.objects.set('pods/web-1', { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'web-1' } });
  });

  const stateOf = (name: string, state: object): void => {
    const status = { ephemeralContainerStatuses: [{ name, state }] };
    api.objects.set('pods/web-1', { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'web-1' }, status });
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

  it('do without a capability that the namespace forbids', async () => {
    const patch = jest.spyOn(api, 'patch');
    patch.mockRejectedValueOnce(
      new DomainError('resource_forbidden', 'violates PodSecurity "baseline:latest"'),
    );
    await addDebugContainer(api, DEBUG);
    expect(patch).toHaveBeenCalledTimes(2);
    expect(JSON.stringify(api.patched)).not.toContain('SYS_PTRACE');
    patch.mockRejectedValueOnce(new DomainError('resource_refused', 'the image is not valid'));
    await expect(addDebugContainer(api, DEBUG)).rejects.toThrow('the image is not valid');
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
