import { expect, it } from '@jest/globals';
import { strictFake } from '../../../../../test/support/strict-fake.js';
import { RuntimeRegistry, type NodeContainer } from '../../../drivers/runtime/index.js';
import { ClusterWatcher } from '../inventory/cluster-watcher.js';
import type { ClustersService } from '../inventory/clusters.service.js';
import { OutsideCreations } from './outside-creations.js';
import { StartVerification } from './start-verification.js';

it('returns false for an engine that stopped responding after its containers were listed', async () => {
  const runtimes = strictFake(RuntimeRegistry, { available: () => [] });
  const clusters = {} as ClustersService;
  new OutsideCreations(runtimes, strictFake(StartVerification, {}), strictFake(ClusterWatcher, {}), clusters);
  const node = { id: 'a', state: 'running', createdAt: new Date().toISOString() } as NodeContainer;
  expect(await clusters.isCreatingOutside({ name: 'foreign', runtime: 'docker' }, [node])).toBe(false);
});
