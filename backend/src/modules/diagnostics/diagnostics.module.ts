import { Module } from '@nestjs/common';
import { ClustersModule } from '../clusters/index.js';
import { JobsModule } from '../jobs/index.js';
import { JournalModule } from '../journal/index.js';
import { VersionsModule } from '../versions/index.js';
import { SupportBundleService } from './bundle/support-bundle.service.js';
import { DiagnosticsController } from './diagnostics.controller.js';
import { DiagnosticsService } from './checks/diagnostics.service.js';
import { EventLoopDelay } from './checks/event-loop-delay.js';
import { PortChecks } from './checks/port-checks.js';

@Module({
  imports: [ClustersModule, JobsModule, JournalModule, VersionsModule],
  controllers: [DiagnosticsController],
  providers: [
    DiagnosticsService,
    { provide: EventLoopDelay, useFactory: () => new EventLoopDelay() },
    PortChecks,
    SupportBundleService,
  ],
})
export class DiagnosticsModule {}
