import { Module } from '@nestjs/common';
import { LogAlertsModule } from '../log-alerts/index.js';
import { LogSourcesModule } from '../log-sources/index.js';
import { AlertRelay } from './alert-relay.js';
import { LiveLines } from './live-lines.js';
import { LiveSources } from './live-sources.js';
import { LogsGateway } from './logs.gateway.js';

/** The log board's socket: live lines, changes of sources, and alerts. */
@Module({
  imports: [LogAlertsModule, LogSourcesModule],
  providers: [AlertRelay, LiveLines, LiveSources, LogsGateway],
})
export class LogLiveModule {}
