import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readConfiguration } from '../../../backend/src/core/config/configuration.js';
import { DataDirectory } from '../../../backend/src/core/storage/data-directory.js';
import { DemoGateway } from '../../../backend/src/drivers/demo/demo-gateway.js';
import { DemoWorld } from '../../../backend/src/drivers/demo/demo-world.js';
import { waitFor } from '../wait-for.js';
import { testKubeconfig } from './test-kubeconfig.js';

export const DEMO_TARGET = { name: 'demo', runtime: 'demo', kubeconfig: testKubeconfig() };

interface DemoCluster {
  world: DemoWorld;
  gateway: DemoGateway;
  remove: () => Promise<void>;
}

/** A cluster of the demo that is ready, with two nodes, its time a thousand times as fast. */
export async function makeDemoCluster(name = DEMO_TARGET.name): Promise<DemoCluster> {
  const folder = await mkdtemp(join(tmpdir(), 'demo-'));
  const configuration = readConfiguration({ APP_DATA_DIR: folder, APP_DEMO_SPEED: '1000' });
  const world = new DemoWorld(configuration, DataDirectory.open(configuration));
  for (const role of ['control-plane', 'worker'] as const) {
    await world.addNode({ name: `${name}-${role}`, cluster: name, role, image: '', ports: [] });
  }
  const gateway = new DemoGateway(world);
  const target = { ...DEMO_TARGET, name };
  const isReady = async (): Promise<boolean> => (await gateway.readiness(target)).dnsReady === true;
  await waitFor(isReady, 'the cluster to be ready', 5000);
  return {
    world,
    gateway,
    remove: async () => {
      await world.removeNodes(world.nodesOf(name).map(({ id }) => id));
      await rm(folder, { recursive: true });
    },
  };
}
