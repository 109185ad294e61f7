import { Module, type DynamicModule } from '@nestjs/common';
import { RouterModule } from '@nestjs/core';
import { LogBoardAuthModule } from '../../modules/log-board-auth/index.js';
import { LogAlertsModule } from '../../modules/log-alerts/index.js';
import { LogLiveModule } from '../../modules/log-live/index.js';
import { LogSearchModule, StoredLinesModule } from '../../modules/log-search/index.js';
import { LogSourcesModule, SharedLogsModule } from '../../modules/log-sources/index.js';
import { globalProviders } from '../http/global-providers.js';
import { CoreModule, type Foundation } from '../core.module.js';
import { EnginesModule } from '../engines.module.js';
import { WebhooksModule } from '../webhooks.module.js';

@Module({})
export class LogBoardModule {
  static with(foundation: Foundation): DynamicModule {
    return {
      module: LogBoardModule,
      imports: [
        CoreModule.with(foundation),
        EnginesModule.with(foundation),
        WebhooksModule,
        LogBoardAuthModule,
        SharedLogsModule.with(foundation),
        LogSourcesModule,
        LogSearchModule,
        LogAlertsModule,
        LogLiveModule,
        RouterModule.register([{ path: 'api', module: StoredLinesModule }]),
      ],
      providers: globalProviders(),
    };
  }
}
