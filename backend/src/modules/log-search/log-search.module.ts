import { Module } from '@nestjs/common';
import { JournalEntriesModule } from '../journal/index.js';
import { LogLinesModule } from '../log-lines/index.js';
import { LogSourcesModule } from '../log-sources/index.js';
import { ExportsController } from './exports.controller.js';
import { ExportsService } from './exports.service.js';
import { LineGroupsController } from './line-groups.controller.js';
import { LineGroupsService } from './line-groups.service.js';
import { LinesController } from './lines.controller.js';
import { LinesService } from './lines.service.js';
import { RegexLimit } from './regex-limit.js';
import { SavedSearchStore } from './saved-search.store.js';
import { SavedSearchesController } from './saved-searches.controller.js';
import { SavedSearchesService } from './saved-searches.service.js';
import { SearchesController } from './searches.controller.js';
import { SearchesService } from './searches.service.js';

@Module({
  imports: [JournalEntriesModule, LogLinesModule, LogSourcesModule],
  controllers: [
    ExportsController,
    LineGroupsController,
    LinesController,
    SavedSearchesController,
    SearchesController,
  ],
  providers: [
    ExportsService,
    LineGroupsService,
    LinesService,
    RegexLimit,
    SavedSearchStore,
    SavedSearchesService,
    SearchesService,
  ],
  exports: [RegexLimit],
})
export class LogSearchModule {}
