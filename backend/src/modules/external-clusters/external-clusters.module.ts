import { Module } from '@nestjs/common';
import { ClustersModule } from '../clusters/index.js';
import { JobsModule } from '../jobs/index.js';
import { JournalModule } from '../journal/index.js';
import { ChangesGuard } from './changes.guard.js';
import { ContextsService } from './contexts.service.js';
import { ExternalAccess } from './external-access.js';
import { ExternalClusterStore } from './external-cluster.store.js';
import { ExternalClustersController } from './external-clusters.controller.js';
import { ExternalClustersService } from './external-clusters.service.js';

/** Clusters of the user's kubeconfigs, which Slipway did not create. */
@Module({
  imports: [ClustersModule, JobsModule, JournalModule],
  controllers: [ExternalClustersController],
  providers: [ChangesGuard, ContextsService, ExternalAccess, ExternalClusterStore, ExternalClustersService],
  exports: [ChangesGuard, ExternalClustersService],
})
export class ExternalClustersModule {}
