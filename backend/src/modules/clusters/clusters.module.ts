import { Module } from '@nestjs/common';
import { JobsModule } from '../jobs/index.js';
import { JournalModule } from '../journal/index.js';
import { ClusterCheckService } from './cluster-check.service.js';
import { ClusterDrafts } from './cluster-draft.js';
import { ClusterRemoval } from './cluster-removal.js';
import { ClusterWatcher } from './cluster-watcher.js';
import { ClusterStore } from './cluster.store.js';
import { ClustersController } from './clusters.controller.js';
import { ClustersService } from './clusters.service.js';
import { CreateClusterHandler } from './creation/create-cluster.handler.js';
import { CreationStages } from './creation/creation-stages.js';
import { DeleteClusterHandler } from './delete-cluster.handler.js';
import { KubeconfigController } from './kubeconfig/kubeconfig.controller.js';
import { KubeconfigService } from './kubeconfig/kubeconfig.service.js';
import { NodeInventory } from './node-inventory.js';
import { NodeLogsService } from './node-logs.service.js';
import { Preflight } from './preflight.js';
import { ReadinessWait } from './readiness-wait.js';

@Module({
  imports: [JobsModule, JournalModule],
  controllers: [ClustersController, KubeconfigController],
  providers: [
    ClusterCheckService,
    ClusterDrafts,
    ClusterRemoval,
    ClusterStore,
    ClusterWatcher,
    ClustersService,
    CreateClusterHandler,
    CreationStages,
    DeleteClusterHandler,
    KubeconfigService,
    NodeInventory,
    NodeLogsService,
    Preflight,
    ReadinessWait,
  ],
  exports: [ClustersService, ClusterWatcher, ClusterStore, NodeInventory, Preflight],
})
export class ClustersModule {}
