import type { RuntimeDriver } from '../../../backend/src/drivers/runtime/index.js';

/** Removes everything that an engine holds under a cluster's name, regardless of who created it. */
export async function removeCluster(runtime: RuntimeDriver, cluster: string): Promise<void> {
  const { containers, volumes } = await runtime.objectsOf(cluster);
  await runtime.removeObjects({
    containers: containers.map(({ id }) => id),
    volumes: volumes.map(({ name }) => name),
  });
}
