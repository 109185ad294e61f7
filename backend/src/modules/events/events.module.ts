import { Module } from '@nestjs/common';
import { ClustersModule } from '../clusters/index.js';
import { JobsModule } from '../jobs/index.js';
import { JournalModule } from '../journal/index.js';
import { ProblemsModule } from '../problems/index.js';
import { ResourcesModule } from '../resources/index.js';
import { StatsModule } from '../stats/index.js';
import { EventsGateway } from './events.gateway.js';
import { ResourceTopics } from './resource-topics.js';

@Module({
  imports: [ClustersModule, JobsModule, JournalModule, ProblemsModule, ResourcesModule, StatsModule],
  providers: [EventsGateway, ResourceTopics],
})
export class EventsModule {}
