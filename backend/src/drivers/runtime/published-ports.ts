import type { PublishedPort } from './runtime-driver.js';
import type { RuntimeRegistry } from './runtime-registry.js';

/** The ports of the container in which Slipway runs; undefined if no available engine has such a container. */
export function publishedPorts(runtimes: RuntimeRegistry): readonly PublishedPort[] | undefined {
  for (const runtime of runtimes.available()) {
    const { ownContainer } = runtime.info();
    if (ownContainer) return ownContainer.ports;
  }
  return undefined;
}
