import { Module } from '@nestjs/common';
import { Readiness } from '../health/index.js';
import { LogBoardHealthController } from './log-board-health.controller.js';
import { LineBus } from './line-bus.js';
import { LogIntake } from './log-intake.js';
import { LogStoreController } from './log-store.controller.js';
import { SourceChangesController } from './source-changes.controller.js';

/** Collects lines. `SharedLogsModule` provides their store and sources. */
@Module({
  controllers: [LogBoardHealthController, LogStoreController, SourceChangesController],
  providers: [LineBus, LogIntake, Readiness],
  exports: [LineBus],
})
export class LogSourcesModule {}
