import {
  Global,
  Module,
  type DynamicModule,
  type FactoryProvider,
  type InjectionToken,
} from '@nestjs/common';
import { DemoWorld } from '../drivers/demo/index.js';
import { GatewaySelector } from '../drivers/kubernetes/index.js';
import { ProcessRunner } from '../drivers/process/index.js';
import { ProvisionerSelector } from '../drivers/provisioner/index.js';
import { RuntimeRegistry } from '../drivers/runtime/index.js';
import type { Foundation } from './core.module.js';
import type { Engines } from './engines.js';

/** Makes the drivers for the engines injectable. Both applications of a process share them. */
@Global()
@Module({})
export class EnginesModule {
  static with({ engines }: Foundation): DynamicModule {
    const port = (provide: InjectionToken, choose: (made: Engines) => unknown): FactoryProvider => ({
      provide,
      useFactory: async () => choose(await engines()),
    });
    const ports = [
      port(ProcessRunner, ({ processes }) => processes),
      port(DemoWorld, ({ demo }) => demo),
      port(RuntimeRegistry, ({ runtimes }) => runtimes),
      port(ProvisionerSelector, ({ provisioners }) => provisioners),
      port(GatewaySelector, ({ gateways }) => gateways),
    ];
    return { module: EnginesModule, providers: ports, exports: ports.map(({ provide }) => provide) };
  }
}
