import { Module } from '@nestjs/common';
import { ClustersModule } from '../clusters/index.js';
import { ImagesModule } from '../images/index.js';
import { KubeconfigModule } from '../kubeconfig/index.js';
import { JobsModule } from '../jobs/index.js';
import { JournalModule } from '../journal/index.js';
import { ApplyController } from './apply/apply.controller.js';
import { ApplyService } from './apply/apply.service.js';
import { BatchController } from './batch/batch.controller.js';
import { BatchService } from './batch/batch.service.js';
import { ChangeController } from './change/change.controller.js';
import { ChangeJournal } from './change/change-journal.js';
import { EditService } from './change/edit.service.js';
import { RemovalService } from './change/removal.service.js';
import { WorkloadService } from './change/workload.service.js';
import { ClusterResources } from './common/cluster-resources.js';
import { DiagnosisController } from './diagnosis/diagnosis.controller.js';
import { DiagnosisService } from './diagnosis/diagnosis.service.js';
import { DrainHandler } from './drain/drain.handler.js';
import { NodesController } from './drain/nodes.controller.js';
import { NodesService } from './drain/nodes.service.js';
import { EffectsController } from './effects/effects.controller.js';
import { EffectsService } from './effects/effects.service.js';
import { ImageController } from './image/image.controller.js';
import { ImageService } from './image/image.service.js';
import { ClusterNames } from './names/cluster-names.js';
import { ObjectsController } from './object/objects.controller.js';
import { ObjectsService } from './object/objects.service.js';
import { SecretsController } from './object/secrets.controller.js';
import { SecretsService } from './object/secrets.service.js';
import { OverviewController } from './overview/overview.controller.js';
import { OverviewService } from './overview/overview.service.js';
import { PodRestartService } from './pods/pod-restart.service.js';
import { PodsController } from './pods/pods.controller.js';
import { ResourcesController } from './resources.controller.js';
import { RolloutController } from './rollout/rollout.controller.js';
import { RolloutService } from './rollout/rollout.service.js';
import { SchemasController } from './schemas/schemas.controller.js';
import { SchemasService } from './schemas/schemas.service.js';
import { TablesService } from './table/tables.service.js';
import { UsageController } from './usage/usage.controller.js';
import { UsageReadings } from './usage/usage-readings.js';
import { ResourceFeeds } from './resource-feeds.js';
import { TableWatches } from './watch/table-watches.js';

@Module({
  imports: [ClustersModule, ImagesModule, KubeconfigModule, JobsModule, JournalModule],
  controllers: [
    OverviewController,
    ResourcesController,
    ApplyController,
    ObjectsController,
    DiagnosisController,
    SecretsController,
    ChangeController,
    RolloutController,
    ImageController,
    BatchController,
    EffectsController,
    NodesController,
    PodsController,
    UsageController,
    SchemasController,
  ],
  providers: [
    ApplyService,
    BatchService,
    ChangeJournal,
    ClusterNames,
    ClusterResources,
    DiagnosisService,
    DrainHandler,
    EditService,
    EffectsService,
    ImageService,
    NodesService,
    PodRestartService,
    RemovalService,
    RolloutService,
    WorkloadService,
    ObjectsService,
    OverviewService,
    SchemasService,
    SecretsService,
    ResourceFeeds,
    TableWatches,
    TablesService,
    UsageReadings,
  ],
  exports: [ChangeJournal, ClusterNames, ClusterResources, ResourceFeeds],
})
export class ResourcesModule {}
