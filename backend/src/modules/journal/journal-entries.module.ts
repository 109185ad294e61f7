import { Module } from '@nestjs/common';
import { JournalRetention } from './journal-retention.js';
import { JournalService } from './journal.service.js';
import { JournalStore } from './journal.store.js';

/** Writes and keeps entries, without routes and engines. The log board imports only this part. */
@Module({
  providers: [JournalRetention, JournalService, JournalStore],
  exports: [JournalService, JournalStore],
})
export class JournalEntriesModule {}
