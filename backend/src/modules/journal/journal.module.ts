import { Module } from '@nestjs/common';
import { JournalController } from './journal.controller.js';
import { JournalService } from './journal.service.js';
import { JournalStore } from './journal.store.js';

@Module({
  controllers: [JournalController],
  providers: [JournalService, JournalStore],
  exports: [JournalService],
})
export class JournalModule {}
