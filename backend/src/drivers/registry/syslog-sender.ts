import { connect, isIP } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { reasonOf } from '../../core/errors/index.js';
import { plainLine } from '../../core/logging/index.js';
import { externalLookup } from './http-webhook-sender.js';
import { isAllowedHost } from './outbound-address.js';
import { WebhookError, type WebhookSender } from './webhook-sender.js';

/** Sends text over TCP, with TLS for `https:`. The addresses of webhooks are allowed. */
export class SyslogSender {
  /** @param allowed hosts that may be internal or without TLS */
  constructor(
    private readonly webhooks: WebhookSender,
    private readonly allowed: readonly string[],
  ) {}

  /**
   * Syslog has no acknowledgments. Each text has a connection of its own, and has arrived when the receiver, which has read
   * it to its end, closes the connection.
   * @throws WebhookError
   */
  async send(url: URL, text: string, signal: AbortSignal): Promise<void> {
    const problem = await this.webhooks.problemOf(url);
    if (problem !== null) throw new WebhookError(`${url.host} ${problem}`);
    if (signal.aborted) throw new WebhookError(`The lookup of ${url.hostname} did not respond in time`);
    const isTls = url.protocol === 'https:';
    const host = url.hostname.replace(/^\[|\]$/g, '');
    const target = {
      host,
      port: Number(url.port) || (isTls ? 443 : 80),
      lookup: isAllowedHost(url, this.allowed) ? undefined : externalLookup(url),
    };
    const socket = isTls
      ? connectTls({ ...target, servername: isIP(host) === 0 ? host : '' })
      : connect(target);
    const abort = (): void => {
      const what = socket.connecting ? 'respond' : 'close the connection';
      socket.destroy(new Error(`it did not ${what} in time`));
    };
    signal.addEventListener('abort', abort);
    try {
      await new Promise<void>((resolve, reject) => {
        socket.on('error', reject);
        socket.once('end', () => {
          if (!socket.writableFinished) reject(new Error('it closed the connection early'));
        });
        socket.once('close', () => resolve());
        socket.resume();
        socket.end(text);
      });
    } catch (error) {
      if (error instanceof WebhookError) throw error;
      throw new WebhookError(`Could not send to ${url.host}: ${plainLine(reasonOf(error)).slice(0, 300)}`, {
        cause: error,
      });
    } finally {
      signal.removeEventListener('abort', abort);
      socket.destroy();
    }
  }
}
