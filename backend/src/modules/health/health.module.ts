import { Module } from '@nestjs/common';
import { JournalModule } from '../journal/index.js';
import { HealthController } from './health.controller.js';
import { HealthService } from './health.service.js';
import { Readiness } from './readiness.js';

@Module({ imports: [JournalModule], controllers: [HealthController], providers: [HealthService, Readiness] })
export class HealthModule {}
