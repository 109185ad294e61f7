import { Module } from '@nestjs/common';
import { ClustersModule } from '../clusters/index.js';
import { KubeconfigModule } from '../kubeconfig/index.js';
import { JournalModule } from '../journal/index.js';
import { ClusterResources } from './common/cluster-resources.js';
import { ClusterNames } from './names/cluster-names.js';
import { MapController } from './map/map.controller.js';
import { MapService } from './map/map.service.js';
import { ObjectsController } from './object/objects.controller.js';
import { ObjectsService } from './object/objects.service.js';
import { SecretsController } from './object/secrets.controller.js';
import { SecretsService } from './object/secrets.service.js';
import { OverviewController } from './overview/overview.controller.js';
import { OverviewService } from './overview/overview.service.js';
import { PlacementController } from './placement/placement.controller.js';
import { PlacementService } from './placement/placement.service.js';
import { ResourcesController } from './resources.controller.js';
import { SchemasController } from './schemas/schemas.controller.js';
import { SchemasService } from './schemas/schemas.service.js';
import { TablesService } from './table/tables.service.js';
import { UsageController } from './usage/usage.controller.js';
import { UsageReadings } from './usage/usage-readings.js';
import { ResourceFeeds } from './resource-feeds.js';
import { TableWatches } from './watch/table-watches.js';

/** Reads the objects of clusters. */
@Module({
  imports: [ClustersModule, KubeconfigModule, JournalModule],
  controllers: [
    OverviewController,
    ResourcesController,
    MapController,
    ObjectsController,
    SecretsController,
    UsageController,
    PlacementController,
    SchemasController,
  ],
  providers: [
    ClusterNames,
    ClusterResources,
    MapService,
    ObjectsService,
    OverviewService,
    PlacementService,
    SchemasService,
    SecretsService,
    ResourceFeeds,
    TableWatches,
    TablesService,
    UsageReadings,
  ],
  exports: [ClusterNames, ClusterResources, ResourceFeeds, TableWatches],
})
export class ResourcesModule {}
