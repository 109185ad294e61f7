import { Module, type OnModuleInit } from '@nestjs/common';
import { DiscoveryModule, DiscoveryService } from '@nestjs/core';
import { JournalModule } from '../journal/index.js';
import { JobActivity } from './job-activity.js';
import { JobHandler } from './job-handler.js';
import { JobStore } from './job.store.js';
import { JobsController } from './jobs.controller.js';
import { JobsService } from './jobs.service.js';

@Module({
  imports: [DiscoveryModule, JournalModule],
  controllers: [JobsController],
  providers: [JobActivity, JobsService, JobStore],
  exports: [JobsService],
})
export class JobsModule implements OnModuleInit {
  constructor(
    private readonly discovery: DiscoveryService,
    private readonly jobs: JobsService,
  ) {}

  /** Registers the handlers that other modules provide. */
  onModuleInit(): void {
    for (const { instance } of this.discovery.getProviders()) {
      if (instance instanceof JobHandler) this.jobs.register(instance);
    }
  }
}
