import { Module } from '@nestjs/common';
import { ClustersModule } from '../clusters/index.js';
import { JobsModule } from '../jobs/index.js';
import { ArchiveStore } from './load/archive-store.js';
import { ClusterImagesController } from './cluster-images.controller.js';
import { ClusterImagesService } from './cluster-images.service.js';
import { ClusterNodesService } from './cluster-nodes.js';
import { DiskUsageService } from './prune/disk-usage.service.js';
import { EngineImagesService } from './common/engine-images.service.js';
import { ImageUsers } from './common/image-users.js';
import { ImagesController } from './images.controller.js';
import { LoadImagesHandler } from './load/load-images.handler.js';
import { PruneImagesHandler } from './prune/prune-images.handler.js';
import { PruneService } from './prune/prune.service.js';

@Module({
  imports: [ClustersModule, JobsModule],
  controllers: [ImagesController, ClusterImagesController],
  providers: [
    ArchiveStore,
    ClusterImagesService,
    ClusterNodesService,
    DiskUsageService,
    EngineImagesService,
    ImageUsers,
    LoadImagesHandler,
    PruneImagesHandler,
    PruneService,
  ],
  exports: [ClusterImagesService],
})
export class ImagesModule {}
