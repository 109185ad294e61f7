import { Module } from '@nestjs/common';
import { LogLinesModule } from '../log-lines/index.js';
import { ResourcesModule } from '../resources/index.js';
import { PodLogsController } from './pod-logs.controller.js';
import { PodLogsService } from './pod-logs.service.js';
import { WorkloadLogsController } from './workload-logs.controller.js';

/** The logs of Pods for the dashboard: read from their cluster, without the log store and its sign-in. */
@Module({
  imports: [LogLinesModule, ResourcesModule],
  controllers: [PodLogsController, WorkloadLogsController],
  providers: [PodLogsService],
})
export class PodLogsModule {}
