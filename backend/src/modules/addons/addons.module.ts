import { Module } from '@nestjs/common';
import { ClustersModule } from '../clusters/index.js';
import { ForwardsModule } from '../forwards/index.js';
import { KubeconfigModule } from '../kubeconfig/index.js';
import { JobsModule } from '../jobs/index.js';
import { JournalModule } from '../journal/index.js';
import { ResourcesModule } from '../resources/index.js';
import { AddonClusters } from './common/addon-clusters.js';
import { AddonsController, FormerAddonPathsController } from './addons.controller.js';
import { CatalogController } from './catalog.controller.js';
import { ChartsController } from './charts.controller.js';
import { AddonSourceStore } from './charts/addon-source.store.js';
import { ChartFinder } from './charts/chart-finder.js';
import { ChartRepositoryStore } from './charts/chart-repository.store.js';
import { RepositoriesService } from './charts/repositories.service.js';
import { UploadedCharts } from './charts/uploaded-charts.js';
import { AddonForwardsService } from './forward/addon-forwards.service.js';
import { AddonForwardsController } from './addon-forwards.controller.js';
import { AddonValues } from './operation/addon-values.js';
import { CatalogInstaller } from './operation/catalog-installer.js';
import { CreationAddons } from './operation/creation-addons.js';
import { OperationFilesStore } from './operation/operation-files.js';
import { OperationsService } from './operation/operations.service.js';
import {
  InstallAddonHandler,
  RollbackAddonHandler,
  UninstallAddonHandler,
  UpgradeAddonHandler,
} from './operation/operation-handlers.js';
import { ReleaseSteps } from './operation/release-steps.js';
import { ReleasesService } from './release/releases.service.js';

@Module({
  imports: [ClustersModule, ForwardsModule, KubeconfigModule, JobsModule, JournalModule, ResourcesModule],
  // Fixed paths such as `charts` must be routed before `:release`.
  controllers: [
    CatalogController,
    ChartsController,
    AddonForwardsController,
    AddonsController,
    FormerAddonPathsController,
  ],
  providers: [
    AddonClusters,
    AddonSourceStore,
    AddonValues,
    ChartFinder,
    ChartRepositoryStore,
    CatalogInstaller,
    CreationAddons,
    AddonForwardsService,
    InstallAddonHandler,
    OperationFilesStore,
    OperationsService,
    ReleaseSteps,
    ReleasesService,
    RepositoriesService,
    RollbackAddonHandler,
    UninstallAddonHandler,
    UpgradeAddonHandler,
    UploadedCharts,
  ],
})
export class AddonsModule {}
