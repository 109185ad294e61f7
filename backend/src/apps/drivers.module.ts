import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Global, Module } from '@nestjs/common';
import { Configuration } from '../core/config/index.js';
import { AppLogger } from '../core/logging/index.js';
import { DataDirectory } from '../core/storage/index.js';
import {
  DemoGateway,
  DemoPackageManager,
  DemoProvisioner,
  DemoRuntimeDriver,
  DemoWorld,
} from '../drivers/demo/index.js';
import { ApiServerGateway, GatewaySelector } from '../drivers/kubernetes/index.js';
import {
  HelmPackageManager,
  PackageManager,
  PackageManagerSelector,
} from '../drivers/package-manager/index.js';
import { LocalProcessRunner, ProcessRunner } from '../drivers/process/index.js';
import { KindProvisioner, ProvisionerSelector } from '../drivers/provisioner/index.js';
import { HttpImageRegistry, ImageRegistry } from '../drivers/registry/index.js';
import {
  EngineDiscovery,
  localHost,
  LocalRuntimeRegistry,
  RuntimeRegistry,
} from '../drivers/runtime/index.js';

/** Chooses the implementation of every port. */
@Global()
@Module({
  providers: [
    { provide: ProcessRunner, useClass: LocalProcessRunner },
    {
      provide: DemoWorld,
      useFactory: (configuration: Configuration, dataDirectory: DataDirectory) =>
        new DemoWorld(configuration, dataDirectory),
      inject: [Configuration, DataDirectory],
    },
    {
      provide: RuntimeRegistry,
      useFactory: async (
        configuration: Configuration,
        dataDirectory: DataDirectory,
        processes: ProcessRunner,
        world: DemoWorld,
        logger: AppLogger,
      ) => {
        const discovery = new EngineDiscovery(
          configuration,
          localHost(configuration),
          async (engine) => (await processes.locate(engine)) !== undefined,
        );
        const registry = new LocalRuntimeRegistry(
          configuration,
          discovery,
          new DemoRuntimeDriver(world),
          async () => !(await hasRealClusters(dataDirectory)),
          logger,
        );
        await registry.start();
        return registry;
      },
      inject: [Configuration, DataDirectory, ProcessRunner, DemoWorld, AppLogger],
    },
    {
      provide: ProvisionerSelector,
      useFactory: (processes: ProcessRunner, world: DemoWorld) =>
        new ProvisionerSelector([new KindProvisioner(processes), new DemoProvisioner(world)]),
      inject: [ProcessRunner, DemoWorld],
    },
    {
      provide: GatewaySelector,
      useFactory: (world: DemoWorld) => new GatewaySelector([new ApiServerGateway(), new DemoGateway(world)]),
      inject: [DemoWorld],
    },
    {
      provide: PackageManager,
      useFactory: async (
        processes: ProcessRunner,
        dataDirectory: DataDirectory,
        { values }: Configuration,
      ) => {
        const helm = new HelmPackageManager(processes, dataDirectory.helm, values.chartHosts);
        await helm.removeLeft();
        return helm;
      },
      inject: [ProcessRunner, DataDirectory, Configuration],
    },
    {
      provide: PackageManagerSelector,
      useFactory: (helm: PackageManager, world: DemoWorld) =>
        new PackageManagerSelector([helm, new DemoPackageManager(world)]),
      inject: [PackageManager, DemoWorld],
    },
    {
      provide: ImageRegistry,
      useFactory: ({ environment }: Configuration) => new HttpImageRegistry({ environment }),
      inject: [Configuration],
    },
  ],
  exports: [
    ProcessRunner,
    RuntimeRegistry,
    ProvisionerSelector,
    GatewaySelector,
    ImageRegistry,
    PackageManager,
    PackageManagerSelector,
  ],
})
export class DriversModule {}

/** Whether a cluster of a real engine is saved: such a machine is never shown a demo in its place. */
async function hasRealClusters(dataDirectory: DataDirectory): Promise<boolean> {
  for (const folder of await readdir(dataDirectory.clusters)) {
    const meta = await readFile(join(dataDirectory.clusters, folder, 'meta.json'), 'utf8').catch(() => '{}');
    if (/"runtime":\s*"(?!demo")/.test(meta)) return true;
  }
  return false;
}
