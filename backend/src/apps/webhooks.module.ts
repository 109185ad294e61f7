import { Global, Module } from '@nestjs/common';
import { Configuration } from '../core/config/index.js';
import { HttpWebhookSender, WebhookSender } from '../drivers/registry/index.js';

/** Sends webhooks of alerts, for the log board only. */
@Global()
@Module({
  providers: [
    {
      provide: WebhookSender,
      useFactory: ({ environment, values }: Configuration) =>
        new HttpWebhookSender({ environment, allowed: values.webhookHosts }),
      inject: [Configuration],
    },
  ],
  exports: [WebhookSender],
})
export class WebhooksModule {}
