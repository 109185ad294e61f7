import { Module } from '@nestjs/common';
import { SavedSearchStore } from './saved-search.store.js';
import { SavedSearchesController } from './saved-searches.controller.js';
import { SavedSearchesService } from './saved-searches.service.js';

@Module({
  controllers: [SavedSearchesController],
  providers: [SavedSearchStore, SavedSearchesService],
})
export class SavedSearchesModule {}
