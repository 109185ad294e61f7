import { Module } from '@nestjs/common';
import { HistoryAccess } from '../history-access.js';
import { SourceRegistry } from './source-registry.js';
import { SourceSettingsStore } from './source-settings.store.js';

/** Which sources there are, and the history of their lines. */
@Module({
  providers: [HistoryAccess, SourceRegistry, SourceSettingsStore],
  exports: [HistoryAccess, SourceRegistry, SourceSettingsStore],
})
export class SourcesModule {}
