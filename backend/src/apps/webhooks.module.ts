import { Global, Module } from '@nestjs/common';
import { Configuration } from '../core/config/index.js';
import { HttpWebhookSender, SyslogSender, WebhookSender } from '../drivers/registry/index.js';

/** Sends webhooks of alerts, and the journal. */
@Global()
@Module({
  providers: [
    {
      provide: WebhookSender,
      useFactory: ({ environment, values }: Configuration) =>
        new HttpWebhookSender({ environment, allowed: values.webhookHosts }),
      inject: [Configuration],
    },
    {
      provide: SyslogSender,
      useFactory: (webhooks: WebhookSender, { values }: Configuration) =>
        new SyslogSender(webhooks, values.webhookHosts),
      inject: [WebhookSender, Configuration],
    },
  ],
  exports: [SyslogSender, WebhookSender],
})
export class WebhooksModule {}
