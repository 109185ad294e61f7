import { Module, type DynamicModule } from '@nestjs/common';
import { APP_GUARD, RouterModule } from '@nestjs/core';
import { AddonsModule } from '../../modules/addons/index.js';
import { ClustersModule } from '../../modules/clusters/index.js';
import { DiagnosisModule } from '../../modules/diagnosis/index.js';
import { DiagnosticsModule } from '../../modules/diagnostics/index.js';
import { DocumentationModule } from '../../modules/documentation/index.js';
import { EventsModule } from '../../modules/events/index.js';
import { ChangesGuard, ExternalClustersModule } from '../../modules/external-clusters/index.js';
import { ExposeModule } from '../../modules/expose/index.js';
import { ForwardsModule } from '../../modules/forwards/index.js';
import { HealthModule } from '../../modules/health/index.js';
import { ImagesModule } from '../../modules/images/index.js';
import { JobsModule } from '../../modules/jobs/index.js';
import { JournalModule } from '../../modules/journal/index.js';
import { KubeconfigModule } from '../../modules/kubeconfig/index.js';
import { StoredLinesModule } from '../../modules/log-search/index.js';
import { SharedLogsModule } from '../../modules/log-sources/index.js';
import { DashboardAuthModule } from '../../modules/dashboard-auth/index.js';
import { FilesModule } from '../../modules/files/index.js';
import { PodLogsModule } from '../../modules/pod-logs/index.js';
import { ProblemsModule } from '../../modules/problems/index.js';
import { ResourceChangesModule } from '../../modules/resource-changes/index.js';
import { ResourcesModule } from '../../modules/resources/index.js';
import { SearchModule } from '../../modules/search/index.js';
import { ShellsModule } from '../../modules/shells/index.js';
import { StatsModule } from '../../modules/stats/index.js';
import { VersionsModule } from '../../modules/versions/index.js';
import { CoreModule, type Foundation } from '../core.module.js';
import { DriversModule } from '../drivers.module.js';
import { EnginesModule } from '../engines.module.js';
import { WebhooksModule } from '../webhooks.module.js';
import { globalProviders } from '../http/global-providers.js';

@Module({})
export class DashboardModule {
  static with(foundation: Foundation): DynamicModule {
    return {
      module: DashboardModule,
      imports: [
        CoreModule.with(foundation),
        DashboardAuthModule,
        EnginesModule.with(foundation),
        DriversModule,
        WebhooksModule,
        AddonsModule,
        ClustersModule,
        DiagnosticsModule,
        DocumentationModule,
        EventsModule,
        ExternalClustersModule,
        ExposeModule,
        ForwardsModule,
        HealthModule,
        ImagesModule,
        JobsModule,
        JournalModule,
        KubeconfigModule,
        FilesModule,
        PodLogsModule,
        ResourcesModule,
        ResourceChangesModule,
        DiagnosisModule,
        ProblemsModule,
        SearchModule,
        ShellsModule,
        StatsModule,
        VersionsModule,
        SharedLogsModule.with(foundation),
        StoredLinesModule,
        RouterModule.register([{ path: 'logs', module: StoredLinesModule }]),
      ],
      // After the guard of access, so that only those who are signed in learn about clusters.
      providers: [...globalProviders(), { provide: APP_GUARD, useExisting: ChangesGuard }],
    };
  }
}
