import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Configuration } from '../core/config/index.js';
import type { AppLogger } from '../core/logging/index.js';
import type { DataDirectory } from '../core/storage/index.js';
import { DemoGateway, DemoProvisioner, DemoRuntimeDriver, DemoWorld } from '../drivers/demo/index.js';
import { apiRoute, ApiServerGateway, GatewaySelector } from '../drivers/kubernetes/index.js';
import { LocalProcessRunner, type ProcessRunner } from '../drivers/process/index.js';
import { KindProvisioner, ProvisionerSelector } from '../drivers/provisioner/index.js';
import {
  EngineDiscovery,
  localHost,
  LocalRuntimeRegistry,
  type RuntimeRegistry,
} from '../drivers/runtime/index.js';

/** The drivers for the engines and their clusters, shared by all applications of a process. */
export interface Engines {
  processes: ProcessRunner;
  demo: DemoWorld;
  runtimes: RuntimeRegistry;
  provisioners: ProvisionerSelector;
  gateways: GatewaySelector;
  stop: () => void;
}

export async function makeEngines(
  configuration: Configuration,
  dataDirectory: DataDirectory,
  logger: AppLogger,
): Promise<Engines> {
  const processes = new LocalProcessRunner(configuration);
  const demo = new DemoWorld(configuration, dataDirectory);
  const discovery = new EngineDiscovery(
    configuration,
    localHost(configuration),
    async (engine) => (await processes.locate(engine)) !== undefined,
  );
  const runtimes = new LocalRuntimeRegistry(
    configuration,
    discovery,
    new DemoRuntimeDriver(demo),
    async () => !(await hasRealClusters(dataDirectory)),
    logger,
  );
  await runtimes.start();
  return {
    processes,
    demo,
    runtimes,
    provisioners: new ProvisionerSelector([new KindProvisioner(processes), new DemoProvisioner(demo)]),
    gateways: new GatewaySelector([new ApiServerGateway(apiRoute(runtimes)), new DemoGateway(demo)]),
    stop: () => runtimes.stop(),
  };
}

/** Whether the data folder has a cluster of a real engine. If so, the demo never replaces a missing engine. */
async function hasRealClusters(dataDirectory: DataDirectory): Promise<boolean> {
  for (const folder of await readdir(dataDirectory.clusters)) {
    const meta = await readFile(join(dataDirectory.clusters, folder, 'meta.json'), 'utf8').catch(() => '{}');
    if (/"runtime":\s*"(?!demo")/.test(meta)) return true;
  }
  return false;
}
