import type { ContainerOfSlipway, PublishedPort } from './runtime-driver.js';
import type { RuntimeRegistry } from './runtime-registry.js';

/** The container in which Slipway runs; undefined if no available engine has such a container. */
export function ownContainer(runtimes: RuntimeRegistry): ContainerOfSlipway | undefined {
  for (const runtime of runtimes.available()) {
    const found = runtime.info().ownContainer;
    if (found) return found;
  }
  return undefined;
}

/** The ports of that container. */
export function publishedPorts(runtimes: RuntimeRegistry): readonly PublishedPort[] | undefined {
  return ownContainer(runtimes)?.ports;
}
