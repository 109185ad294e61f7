import { Global, Module } from '@nestjs/common';
import { Configuration } from '../core/config/index.js';
import { DataDirectory } from '../core/storage/index.js';
import { DemoPackageManager, DemoWorld } from '../drivers/demo/index.js';
import { apiRoute } from '../drivers/kubernetes/index.js';
import {
  HelmPackageManager,
  PackageManager,
  PackageManagerSelector,
} from '../drivers/package-manager/index.js';
import { ProcessRunner } from '../drivers/process/index.js';
import { HttpImageRegistry, ImageRegistry } from '../drivers/registry/index.js';
import { RuntimeRegistry } from '../drivers/runtime/index.js';

/** The drivers that only the dashboard uses. */
@Global()
@Module({
  providers: [
    {
      provide: PackageManager,
      useFactory: async (
        processes: ProcessRunner,
        dataDirectory: DataDirectory,
        { values }: Configuration,
        runtimes: RuntimeRegistry,
      ) => {
        const helm = new HelmPackageManager(processes, dataDirectory.helm, {
          allowedHosts: values.chartHosts,
          route: apiRoute(runtimes),
        });
        await helm.removeLeftovers();
        return helm;
      },
      inject: [ProcessRunner, DataDirectory, Configuration, RuntimeRegistry],
    },
    {
      provide: PackageManagerSelector,
      useFactory: (helm: PackageManager, world: DemoWorld) =>
        new PackageManagerSelector([helm, new DemoPackageManager(world)]),
      inject: [PackageManager, DemoWorld],
    },
    {
      provide: ImageRegistry,
      useFactory: ({ environment }: Configuration) => new HttpImageRegistry(environment),
      inject: [Configuration],
    },
  ],
  exports: [ImageRegistry, PackageManager, PackageManagerSelector],
})
export class DriversModule {}
