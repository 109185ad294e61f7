import { describe, expect, it } from '@jest/globals';
import { FakeRegistry, FakeRuntime } from '../../../../../test/support/runtime/fake-runtime.js';
import type { ClusterKubeconfig } from '../../../drivers/kubernetes/index.js';
import type { ProvisionerSelector } from '../../../drivers/provisioner/index.js';
import { testKubeconfig } from '../../../../../test/support/kubernetes/test-kubeconfig.js';
import { ClusterKubeconfigs } from './cluster-kubeconfigs.js';
import type { ClusterStore } from './cluster.store.js';

function service(saved: ClusterKubeconfig | undefined, runtimes: FakeRuntime[]): ClusterKubeconfigs {
  const store = { readKubeconfig: () => Promise.resolve(saved) } as unknown as ClusterStore;
  const provisioner = { kubeconfig: (name: string) => Promise.resolve(testKubeconfig({ name })) };
  const provisioners = { for: () => provisioner } as unknown as ProvisionerSelector;
  return new ClusterKubeconfigs(store, new FakeRegistry(runtimes), provisioners);
}

describe('ClusterKubeconfigs', () => {
  const key = { name: 'mine', runtime: 'docker' };

  it('returns the saved kubeconfig', async () => {
    const saved = testKubeconfig({ name: 'saved' });
    expect(await service(saved, []).read(key)).toBe(saved);
  });

  it('reads the kubeconfig from the control plane if none is saved', async () => {
    const read = await service(undefined, [new FakeRuntime()]).read(key);
    expect(read).toEqual(testKubeconfig({ name: 'mine' }));
  });

  it('fails with runtime_unavailable while the engine is unavailable', async () => {
    await expect(service(undefined, []).read(key)).rejects.toMatchObject({ code: 'runtime_unavailable' });
  });
});
