import { Module } from '@nestjs/common';
import { JournalController } from './journal.controller.js';
import { JournalExport } from './journal-export.js';
import { JournalModule } from './journal.module.js';

/** The routes of the journal. Only the dashboard serves them. */
@Module({ imports: [JournalModule], controllers: [JournalController], providers: [JournalExport] })
export class JournalApiModule {}
