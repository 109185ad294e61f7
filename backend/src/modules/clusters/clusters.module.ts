import { Module } from '@nestjs/common';
import { JobsModule } from '../jobs/index.js';
import { JournalModule } from '../journal/index.js';
import { AdoptedConfigs } from './adoption/adopted-configs.js';
import { ClaimedPorts } from './claimed-ports.js';
import { CloneClusterHandler } from './clone/clone-cluster.handler.js';
import { CloneController } from './clone/clone.controller.js';
import { CloneService } from './clone/clone.service.js';
import { ClusterCheckService } from './cluster-check.service.js';
import { ClusterDrafts } from './cluster-draft.js';
import { ClusterRemoval } from './cluster-removal.js';
import { ClusterWatcher } from './cluster-watcher.js';
import { ClusterStore } from './cluster.store.js';
import { ClustersController } from './clusters.controller.js';
import { ClustersService } from './clusters.service.js';
import { ClusterConfigController } from './config/cluster-config.controller.js';
import { ClusterConfigService } from './config/cluster-config.service.js';
import { ChosenAddons } from './creation/chosen-addons.js';
import { CreationRecord } from './creation/creation-record.js';
import { CreateClusterHandler } from './creation/create-cluster.handler.js';
import { CreationStages } from './creation/creation-stages.js';
import { DeleteClusterHandler } from './delete-cluster.handler.js';
import { KubeconfigEntryStore } from './kubeconfig/kubeconfig-entry.store.js';
import { KubeconfigMergeController } from './kubeconfig/kubeconfig-merge.controller.js';
import { KubeconfigMergeService } from './kubeconfig/kubeconfig-merge.service.js';
import { KubeconfigController } from './kubeconfig/kubeconfig.controller.js';
import { KubeconfigService } from './kubeconfig/kubeconfig.service.js';
import { KubeconfigUpkeep } from './kubeconfig/kubeconfig-upkeep.js';
import { UserKubeconfig } from './kubeconfig/user-kubeconfig.js';
import { ClusterNodes } from './lifecycle/cluster-nodes.js';
import { ClusterReturn } from './lifecycle/cluster-return.js';
import { PauseClusterHandler, UnpauseClusterHandler } from './lifecycle/freeze-cluster.handlers.js';
import { LifecycleController } from './lifecycle/lifecycle.controller.js';
import { LifecycleService } from './lifecycle/lifecycle.service.js';
import { OutsideChanges } from './lifecycle/outside-changes.js';
import { PortHolders } from './lifecycle/port-holders.js';
import { StateReview } from './lifecycle/state-review.js';
import { StartClusterHandler } from './lifecycle/start-cluster.handler.js';
import { StopClusterHandler } from './lifecycle/stop-cluster.handler.js';
import { NodeInventory } from './node-inventory.js';
import { NodeLogsService } from './node-logs.service.js';
import { Preflight } from './preflight.js';
import { ReadinessWait } from './readiness-wait.js';
import { RecreateClusterHandler } from './recreation/recreate-cluster.handler.js';
import { Recreation } from './recreation/recreation.js';
import { RecreationController } from './recreation/recreation.controller.js';
import { LossFinder } from './recreation/losses.js';
import { RecreationService } from './recreation/recreation.service.js';

@Module({
  imports: [JobsModule, JournalModule],
  controllers: [
    ClustersController,
    ClusterConfigController,
    CloneController,
    KubeconfigController,
    KubeconfigMergeController,
    LifecycleController,
    RecreationController,
  ],
  providers: [
    AdoptedConfigs,
    ChosenAddons,
    ClaimedPorts,
    CloneClusterHandler,
    CloneService,
    ClusterCheckService,
    ClusterConfigService,
    ClusterDrafts,
    ClusterNodes,
    ClusterRemoval,
    ClusterReturn,
    ClusterStore,
    ClusterWatcher,
    ClustersService,
    CreateClusterHandler,
    CreationRecord,
    CreationStages,
    DeleteClusterHandler,
    KubeconfigEntryStore,
    KubeconfigMergeService,
    KubeconfigService,
    KubeconfigUpkeep,
    LifecycleService,
    NodeInventory,
    NodeLogsService,
    OutsideChanges,
    PauseClusterHandler,
    PortHolders,
    Preflight,
    ReadinessWait,
    RecreateClusterHandler,
    Recreation,
    LossFinder,
    RecreationService,
    StartClusterHandler,
    StateReview,
    StopClusterHandler,
    UnpauseClusterHandler,
    UserKubeconfig,
  ],
  exports: [
    ChosenAddons,
    ClustersService,
    ClusterWatcher,
    ClusterStore,
    KubeconfigService,
    NodeInventory,
    Preflight,
  ],
})
export class ClustersModule {}
