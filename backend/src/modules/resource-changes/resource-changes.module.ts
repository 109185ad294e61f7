import { Module } from '@nestjs/common';
import { ClustersModule } from '../clusters/index.js';
import { DiagnosisModule } from '../diagnosis/index.js';
import { ImagesModule } from '../images/index.js';
import { JobsModule } from '../jobs/index.js';
import { JournalModule } from '../journal/index.js';
import { ResourcesModule } from '../resources/index.js';
import { ApplyController } from './apply/apply.controller.js';
import { ApplyService } from './apply/apply.service.js';
import { BatchController } from './batch/batch.controller.js';
import { BatchService } from './batch/batch.service.js';
import { ChangeController } from './change/change.controller.js';
import { ChangeJournal } from './change/change-journal.js';
import { EditService } from './change/edit.service.js';
import { RemovalService } from './change/removal.service.js';
import { WorkloadService } from './change/workload.service.js';
import { DrainHandler } from './drain/drain.handler.js';
import { NodesController } from './drain/nodes.controller.js';
import { NodesService } from './drain/nodes.service.js';
import { EffectsController } from './effects/effects.controller.js';
import { EffectsService } from './effects/effects.service.js';
import { FixController } from './fix/fix.controller.js';
import { FixService } from './fix/fix.service.js';
import { ImageController } from './image/image.controller.js';
import { ImageService } from './image/image.service.js';
import { LabelsController } from './labels/labels.controller.js';
import { LabelsService } from './labels/labels.service.js';
import { PodRestartService } from './pods/pod-restart.service.js';
import { PodsController } from './pods/pods.controller.js';
import { RolloutController } from './rollout/rollout.controller.js';
import { RolloutService } from './rollout/rollout.service.js';

/** Changes the objects of clusters. */
@Module({
  imports: [ClustersModule, DiagnosisModule, ImagesModule, JobsModule, JournalModule, ResourcesModule],
  controllers: [
    ApplyController,
    ChangeController,
    RolloutController,
    ImageController,
    BatchController,
    EffectsController,
    FixController,
    LabelsController,
    NodesController,
    PodsController,
  ],
  providers: [
    ApplyService,
    BatchService,
    ChangeJournal,
    DrainHandler,
    EditService,
    EffectsService,
    FixService,
    ImageService,
    LabelsService,
    NodesService,
    PodRestartService,
    RemovalService,
    RolloutService,
    WorkloadService,
  ],
  exports: [ChangeJournal],
})
export class ResourceChangesModule {}
