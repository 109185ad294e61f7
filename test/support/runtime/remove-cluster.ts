import type { RuntimeDriver } from '../../../backend/src/drivers/runtime/index.js';

/** Removes all objects of a cluster name from an engine, regardless of who created them. */
export async function removeCluster(runtime: RuntimeDriver, cluster: string): Promise<void> {
  const { containers, volumes } = await runtime.objectsOf(cluster);
  await runtime.removeObjects({
    containers: containers.map(({ id }) => id),
    volumes: volumes.map(({ name }) => name),
  });
}
