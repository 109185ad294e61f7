import { Module, type DynamicModule } from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_INTERCEPTOR } from '@nestjs/core';
import { AnswerSerializer, DeclaredInputGuard } from '../../core/api/index.js';
import { ErrorFilter } from '../../core/errors/index.js';
import { ClustersModule } from '../../modules/clusters/index.js';
import { DiagnosticsModule } from '../../modules/diagnostics/index.js';
import { DocumentationModule } from '../../modules/documentation/index.js';
import { EventsModule } from '../../modules/events/index.js';
import { HealthModule } from '../../modules/health/index.js';
import { ImagesModule } from '../../modules/images/index.js';
import { JobsModule } from '../../modules/jobs/index.js';
import { JournalModule } from '../../modules/journal/index.js';
import { StatsModule } from '../../modules/stats/index.js';
import { VersionsModule } from '../../modules/versions/index.js';
import { CoreModule, type Foundation } from '../core.module.js';
import { DriversModule } from '../drivers.module.js';

/** The dashboard's root module. */
@Module({})
export class DashboardModule {
  static with(foundation: Foundation): DynamicModule {
    return {
      module: DashboardModule,
      imports: [
        CoreModule.with(foundation),
        DriversModule,
        ClustersModule,
        DiagnosticsModule,
        DocumentationModule,
        EventsModule,
        HealthModule,
        ImagesModule,
        JobsModule,
        JournalModule,
        StatsModule,
        VersionsModule,
      ],
      providers: [
        ErrorFilter,
        { provide: APP_FILTER, useExisting: ErrorFilter },
        { provide: APP_GUARD, useClass: DeclaredInputGuard },
        { provide: APP_INTERCEPTOR, useClass: AnswerSerializer },
      ],
    };
  }
}
