import { Global, Module } from '@nestjs/common';
import { Configuration } from '../core/config/index.js';
import { HttpWebhookSender, WebhookSender } from '../drivers/registry/index.js';

/** The way out for the webhooks of alerts, which the log board alone has. */
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
