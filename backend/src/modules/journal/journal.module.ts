import { Module } from '@nestjs/common';
import { JournalRetention } from './journal-retention.js';
import { JournalService } from './journal.service.js';
import { JournalStore } from './journal.store.js';

/** The journal without its routes. Both applications write to it. */
@Module({
  providers: [JournalRetention, JournalService, JournalStore],
  exports: [JournalService, JournalStore],
})
export class JournalModule {}
