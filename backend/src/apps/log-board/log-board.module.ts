import { Module, type DynamicModule } from '@nestjs/common';
import { LogBoardAuthModule } from '../../modules/log-board-auth/index.js';
import { LogAlertsModule } from '../../modules/log-alerts/index.js';
import { LogLiveModule } from '../../modules/log-live/index.js';
import { LogSearchModule } from '../../modules/log-search/index.js';
import { LogSourcesModule } from '../../modules/log-sources/index.js';
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
        LogSourcesModule,
        LogSearchModule,
        LogAlertsModule,
        LogLiveModule,
      ],
      providers: globalProviders(),
    };
  }
}
