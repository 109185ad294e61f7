import { Module } from '@nestjs/common';
import { JobsModule } from '../jobs/index.js';
import { JournalModule } from '../journal/index.js';
import { VersionsModule } from '../versions/index.js';
import { AdoptedConfigs } from './adoption/adopted-configs.js';
import { ClaimedPorts } from './preflight/claimed-ports.js';
import { CloneClusterHandler } from './clone/clone-cluster.handler.js';
import { CloneController } from './clone/clone.controller.js';
import { CloneService } from './clone/clone.service.js';
import { ClusterDrafts } from './creation/cluster-drafts.js';
import { ClusterRemoval } from './deletion/cluster-removal.js';
import { ClusterWatcher } from './inventory/cluster-watcher.js';
import { ClusterStore } from './inventory/cluster.store.js';
import { ClusterHooks } from './inventory/cluster-hooks.js';
import { ClusterKubeconfigs } from './inventory/cluster-kubeconfigs.js';
import { ClustersController } from './clusters.controller.js';
import { ClustersService } from './inventory/clusters.service.js';
import { ClusterConfigController } from './config/cluster-config.controller.js';
import { ClusterConfigService } from './config/cluster-config.service.js';
import { ChosenAddons } from './creation/chosen-addons.js';
import { CreationPlans } from './creation/creation-plan.js';
import { CreationChecks } from './creation/creation-checks.js';
import { CreationRecord } from './creation/creation-record.js';
import { CreateClusterHandler } from './creation/create-cluster.handler.js';
import { CreationService } from './creation/creation.service.js';
import { DeletionService } from './deletion/deletion.service.js';
import { CreationStages } from './creation/creation-stages.js';
import { DeleteClusterHandler } from './deletion/delete-cluster.handler.js';
import { ClusterNodes } from './lifecycle/cluster-nodes.js';
import { StartVerification } from './lifecycle/start-verification.js';
import { PauseClusterHandler, UnpauseClusterHandler } from './lifecycle/pause-cluster.handlers.js';
import { LifecycleController } from './lifecycle/lifecycle.controller.js';
import { LifecycleService } from './lifecycle/lifecycle.service.js';
import { ExternalChanges } from './lifecycle/external-changes.js';
import { PortHolders } from './preflight/port-holders.js';
import { OutsideCreations } from './lifecycle/outside-creations.js';
import { StateReview } from './lifecycle/state-review.js';
import { StartClusterHandler } from './lifecycle/start-cluster.handler.js';
import { StopClusterHandler } from './lifecycle/stop-cluster.handler.js';
import { LastChanges } from './inventory/last-changes.js';
import { NodeInventory } from './inventory/node-inventory.js';
import { NodeLogsService } from './node-logs/node-logs.service.js';
import { Preflight } from './preflight/preflight.js';
import { ReadinessWait } from './creation/readiness-wait.js';
import { RecreateClusterHandler } from './recreation/recreate-cluster.handler.js';
import { RecreationController } from './recreation/recreation.controller.js';
import { ImpactAnalysis } from './recreation/impact-analysis.js';
import { RecreationService } from './recreation/recreation.service.js';

@Module({
  imports: [JobsModule, JournalModule, VersionsModule],
  controllers: [
    ClustersController,
    ClusterConfigController,
    CloneController,
    LifecycleController,
    RecreationController,
  ],
  providers: [
    AdoptedConfigs,
    ChosenAddons,
    CreationPlans,
    ClaimedPorts,
    CloneClusterHandler,
    CloneService,
    ClusterConfigService,
    ClusterDrafts,
    ClusterHooks,
    ClusterKubeconfigs,
    ClusterNodes,
    ClusterRemoval,
    StartVerification,
    ClusterStore,
    ClusterWatcher,
    ClustersService,
    CreateClusterHandler,
    CreationChecks,
    CreationRecord,
    CreationService,
    CreationStages,
    DeleteClusterHandler,
    DeletionService,
    LifecycleService,
    LastChanges,
    NodeInventory,
    OutsideCreations,
    NodeLogsService,
    ExternalChanges,
    PauseClusterHandler,
    PortHolders,
    Preflight,
    ReadinessWait,
    RecreateClusterHandler,
    ImpactAnalysis,
    RecreationService,
    StartClusterHandler,
    StateReview,
    StopClusterHandler,
    UnpauseClusterHandler,
  ],
  exports: [
    ChosenAddons,
    ClusterConfigService,
    ClusterHooks,
    ClusterKubeconfigs,
    ClustersService,
    ClusterWatcher,
    ClusterStore,
    NodeInventory,
    PortHolders,
    Preflight,
  ],
})
export class ClustersModule {}
