import { Module } from '@nestjs/common';
import { ClustersModule } from '../clusters/index.js';
import { ForwardsModule } from '../forwards/index.js';
import { ResourceChangesModule } from '../resource-changes/index.js';
import { ResourcesModule } from '../resources/index.js';
import { ExposeController } from './expose.controller.js';
import { ExposeService } from './expose.service.js';

/** Makes a workload reachable from this machine: a Service, an Ingress if possible, and a link. */
@Module({
  imports: [ClustersModule, ForwardsModule, ResourceChangesModule, ResourcesModule],
  controllers: [ExposeController],
  providers: [ExposeService],
})
export class ExposeModule {}
