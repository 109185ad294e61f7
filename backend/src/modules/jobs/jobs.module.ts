import { Module } from '@nestjs/common';
import { JournalModule } from '../journal/index.js';
import { JobStore } from './job.store.js';
import { JobsController } from './jobs.controller.js';
import { JobsService } from './jobs.service.js';

@Module({
  imports: [JournalModule],
  controllers: [JobsController],
  providers: [JobsService, JobStore],
  exports: [JobsService],
})
export class JobsModule {}
