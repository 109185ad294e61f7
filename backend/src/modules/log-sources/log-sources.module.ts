import { Module } from '@nestjs/common';
import { Readiness } from '../health/index.js';
import { LogBoardHealthController } from './log-board-health.controller.js';
import { KnownProblems } from './known-problems.js';
import { LineBus } from './line-bus.js';
import { LogIntake } from './log-intake.js';
import { LogStoreAccess } from './log-store-access.js';
import { LogStoreController } from './log-store.controller.js';
import { SourceRegistry } from './source-registry.js';
import { SourceSettingsStore } from './source-settings.store.js';
import { SourcesController } from './sources.controller.js';

@Module({
  controllers: [LogBoardHealthController, LogStoreController, SourcesController],
  providers: [
    KnownProblems,
    LineBus,
    LogIntake,
    LogStoreAccess,
    Readiness,
    SourceRegistry,
    SourceSettingsStore,
  ],
  exports: [LineBus, LogStoreAccess, SourceRegistry],
})
export class LogSourcesModule {}
