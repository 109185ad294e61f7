import { Module } from '@nestjs/common';
import { SavedSearchStore } from './saved-search.store.js';
import { SavedSearchesController } from './saved-searches.controller.js';
import { SavedSearchesService } from './saved-searches.service.js';
import { StoredLinesModule } from './stored-lines.module.js';

@Module({
  imports: [StoredLinesModule],
  controllers: [SavedSearchesController],
  providers: [SavedSearchStore, SavedSearchesService],
  exports: [StoredLinesModule],
})
export class LogSearchModule {}
