import { Module } from '@nestjs/common';
import { AlertEngine } from './alert-engine.js';
import { AlertStore } from './alert.store.js';
import { AlertsController } from './alerts.controller.js';
import { AlertsService } from './alerts.service.js';
import { LogSourcesModule } from '../log-sources/index.js';
import { FiringStore } from './firing.store.js';
import { WebhookDeliveries } from './webhook-deliveries.js';
import { Webhooks } from './webhooks.js';

@Module({
  imports: [LogSourcesModule],
  controllers: [AlertsController],
  providers: [AlertEngine, AlertStore, AlertsService, FiringStore, WebhookDeliveries, Webhooks],
  exports: [AlertEngine],
})
export class LogAlertsModule {}
