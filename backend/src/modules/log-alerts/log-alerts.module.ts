import { Module } from '@nestjs/common';
import { AlertEngine } from './alert-engine.js';
import { AlertHistory } from './alert-history.js';
import { AlertStore } from './alert.store.js';
import { AlertsController } from './alerts.controller.js';
import { AlertsService } from './alerts.service.js';
import { LogSearchModule } from '../log-search/index.js';
import { LogSourcesModule } from '../log-sources/index.js';
import { FiringStore } from './firing.store.js';
import { WebhookDeliveries } from './webhook-deliveries.js';
import { Webhooks } from './webhooks.js';

@Module({
  imports: [LogSearchModule, LogSourcesModule],
  controllers: [AlertsController],
  providers: [AlertEngine, AlertHistory, AlertStore, AlertsService, FiringStore, WebhookDeliveries, Webhooks],
  exports: [AlertEngine],
})
export class LogAlertsModule {}
