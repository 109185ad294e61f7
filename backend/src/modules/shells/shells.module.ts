import { Module } from '@nestjs/common';
import { ClustersModule } from '../clusters/index.js';
import { ExternalClustersModule } from '../external-clusters/index.js';
import { JobsModule } from '../jobs/index.js';
import { JournalModule } from '../journal/index.js';
import { ResourcesModule } from '../resources/index.js';
import { ShellsGateway } from './shells.gateway.js';
import { ShellsService } from './shells.service.js';

@Module({
  imports: [ClustersModule, ExternalClustersModule, JobsModule, JournalModule, ResourcesModule],
  providers: [ShellsGateway, ShellsService],
})
export class ShellsModule {}
