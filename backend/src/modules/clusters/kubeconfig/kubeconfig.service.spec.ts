import { describe, expect, it } from '@jest/globals';
import { FakeRegistry, FakeRuntime } from '../../../../../test/support/runtime/fake-runtime.js';
import type { ClusterKubeconfig } from '../../../drivers/kubernetes/index.js';
import type { ProvisionerSelector } from '../../../drivers/provisioner/index.js';
import type { ClusterStore } from '../cluster.store.js';
import type { ClustersService } from '../clusters.service.js';
import { KubeconfigService } from './kubeconfig.service.js';
import { testKubeconfig } from '../../../../../test/support/kubernetes/test-kubeconfig.js';

function service(saved: ClusterKubeconfig | undefined, runtimes: FakeRuntime[]): KubeconfigService {
  const list = { get: () => Promise.reject(new Error('the list was asked')) } as unknown as ClustersService;
  const store = { readKubeconfig: () => Promise.resolve(saved) } as unknown as ClusterStore;
  const provisioner = { kubeconfig: (name: string) => Promise.resolve(testKubeconfig({ name })) };
  const provisioners = { for: () => provisioner } as unknown as ProvisionerSelector;
  return new KubeconfigService(list, store, new FakeRegistry(runtimes), provisioners);
}

describe('the kubeconfig of a cluster, for a job', () => {
  const key = { name: 'mine', runtime: 'docker' };

  it('is the one that is saved', async () => {
    const saved = testKubeconfig({ name: 'saved' });
    expect(await service(saved, []).forJob(key)).toBe(saved);
  });

  it('is read from the nodes, whether or not the list of clusters has them yet', async () => {
    const read = await service(undefined, [new FakeRuntime()]).forJob(key);
    expect(read).toEqual(testKubeconfig({ name: 'mine' }));
  });

  it('is waited for where the engine is not there yet', async () => {
    await expect(service(undefined, []).forJob(key)).rejects.toMatchObject({ code: 'runtime_unavailable' });
  });
});
