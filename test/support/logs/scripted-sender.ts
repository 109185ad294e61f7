import { WebhookError, WebhookSender } from '../../../backend/src/drivers/registry/webhook-sender.js';

interface Sent {
  url: string;
  headers: Readonly<Record<string, string>>;
  body: string;
  at: number;
}

/** Returns the scripted responses, and fails without one. */
export class ScriptedSender extends WebhookSender {
  readonly sent: Sent[] = [];
  readonly responses: (number | Error | 'never')[] = [];

  override problemOf(): Promise<string | null> {
    return Promise.resolve(null);
  }

  override async post(
    url: URL,
    headers: Sent['headers'],
    body: string,
    signal: AbortSignal,
  ): Promise<number> {
    this.sent.push({ url: url.href, headers, body, at: Date.now() });
    const reply = this.responses.shift();
    if (reply === undefined) throw new Error('no response is scripted for this message');
    if (reply === 'never') {
      return await new Promise((_resolve, reject) =>
        signal.addEventListener('abort', () =>
          reject(new WebhookError('chat.example.org did not respond in time')),
        ),
      );
    }
    if (reply instanceof Error) throw reply;
    return reply;
  }
}
