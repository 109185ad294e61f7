import { Module } from '@nestjs/common';
import { JournalController } from './journal.controller.js';
import { JournalModule } from './journal.module.js';

/** The routes of the journal, which the dashboard alone has. */
@Module({ imports: [JournalModule], controllers: [JournalController] })
export class JournalApiModule {}
