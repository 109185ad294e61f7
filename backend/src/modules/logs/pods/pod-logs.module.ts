import { Module } from '@nestjs/common';
import { ResourcesModule } from '../../resources/index.js';
import { AnswerBounds } from '../answer-bounds.js';
import { PodLogsController } from './pod-logs.controller.js';
import { PodLogsService } from './pod-logs.service.js';

/** The logs of pods for the dashboard: read from their cluster, without the history and its sign-in. */
@Module({
  imports: [ResourcesModule],
  controllers: [PodLogsController],
  providers: [AnswerBounds, PodLogsService],
})
export class PodLogsModule {}
