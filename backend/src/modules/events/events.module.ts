import { Module } from '@nestjs/common';
import { ClustersModule } from '../clusters/index.js';
import { JobsModule } from '../jobs/index.js';
import { JournalModule } from '../journal/index.js';
import { StatsModule } from '../stats/index.js';
import { EventsGateway } from './events.gateway.js';

@Module({ imports: [ClustersModule, JobsModule, JournalModule, StatsModule], providers: [EventsGateway] })
export class EventsModule {}
