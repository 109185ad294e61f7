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
  readonly answers: (number | Error | 'never')[] = [];

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
    const answer = this.answers.shift();
    if (answer === undefined) throw new Error('no response is scripted for this message');
    if (answer === 'never') {
      return await new Promise((_resolve, reject) =>
        signal.addEventListener('abort', () =>
          reject(new WebhookError('chat.example.org did not respond in time')),
        ),
      );
    }
    if (answer instanceof Error) throw answer;
    return answer;
  }
}
