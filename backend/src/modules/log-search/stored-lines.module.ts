import { Module } from '@nestjs/common';
import { JournalEntriesModule } from '../journal/index.js';
import { LogLinesModule } from '../log-lines/index.js';
import { SourcesController } from '../log-sources/index.js';
import { ExportsController } from './exports.controller.js';
import { ExportsService } from './exports.service.js';
import { LineGroupsController } from './line-groups.controller.js';
import { LineGroupsService } from './line-groups.service.js';
import { LinesController } from './lines.controller.js';
import { LinesService } from './lines.service.js';
import { RegexLimit } from './regex-limit.js';
import { SearchesController } from './searches.controller.js';
import { SearchesService } from './searches.service.js';

/** The routes that read stored lines. Each application mounts them below a path of its own. */
@Module({
  imports: [JournalEntriesModule, LogLinesModule],
  controllers: [
    ExportsController,
    LineGroupsController,
    LinesController,
    SearchesController,
    SourcesController,
  ],
  providers: [ExportsService, LineGroupsService, LinesService, RegexLimit, SearchesService],
  exports: [RegexLimit],
})
export class StoredLinesModule {}
