import { Module } from '@nestjs/common';
import { JournalModule } from '../journal/index.js';
import { AlertRelay } from './alert-relay.js';
import { AlertsModule } from './alerts/alerts.module.js';
import { AnswerBounds } from './answer-bounds.js';
import { LogIntake } from './intake/log-intake.js';
import { LinesController } from './lines/lines.controller.js';
import { LinesService } from './lines/lines.service.js';
import { LineFeed } from './live/line-feed.js';
import { LiveLines } from './live/live-lines.js';
import { LiveSources } from './live/live-sources.js';
import { LogsGateway } from './logs.gateway.js';
import { SavedSearchesModule } from './saved-searches/saved-searches.module.js';
import { ExpressionLimit } from './search/expression-limit.js';
import { ExportsController } from './search/exports.controller.js';
import { ExportsService } from './search/exports.service.js';
import { SearchesController } from './search/searches.controller.js';
import { SearchesService } from './search/searches.service.js';
import { SourcesController } from './sources/sources.controller.js';
import { SourcesModule } from './sources/sources.module.js';

/** Takes lines in, keeps them, and hands them on: live, by their place, and by what they say. */
@Module({
  imports: [AlertsModule, JournalModule, SavedSearchesModule, SourcesModule],
  controllers: [ExportsController, LinesController, SearchesController, SourcesController],
  providers: [
    AlertRelay,
    AnswerBounds,
    ExportsService,
    ExpressionLimit,
    LineFeed,
    LinesService,
    LiveLines,
    LiveSources,
    LogIntake,
    LogsGateway,
    SearchesService,
  ],
})
export class LogsModule {}
