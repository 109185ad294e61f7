import { describe, expect, it } from '@jest/globals';
import { SyslogSender } from './syslog-sender.js';
import { WebhookError, type WebhookSender } from './webhook-sender.js';

describe('SyslogSender', () => {
  it('reports a lookup of the name that did not respond in time', async () => {
    const webhooks = { problemOf: () => Promise.resolve(null) } as unknown as WebhookSender;
    const sending = new SyslogSender(webhooks, []).send(
      new URL('https://logs.test:6514'),
      'a message',
      AbortSignal.abort(),
    );
    await expect(sending).rejects.toBeInstanceOf(WebhookError);
    await expect(sending).rejects.toThrow('The lookup of logs.test did not respond in time');
  });
});
