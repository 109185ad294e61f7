import { createHmac } from 'node:crypto';
import { Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { Configuration } from '../../core/config/index.js';
import { reasonOf } from '../../core/errors/index.js';
import { AppLogger } from '../../core/logging/index.js';
import { schemeOf } from '../../core/security/index.js';
import { WebhookError, WebhookSender } from '../../drivers/registry/index.js';
import { FiringStore, type Firing } from './firing.store.js';
import { webhookMessage } from './webhook-message.js';
import { Webhooks } from './webhooks.js';

export const MAX_ATTEMPTS = 8;
/** Of one attempt. */
export const ATTEMPT_MS = 10_000;
const AT_ONCE = 4;
const FIRST_WAIT_MS = 1000;
const LONGEST_WAIT_MS = 5 * 60_000;
/** From a second to five minutes within eight attempts. */
const WAIT_GROWTH = 2.6;
/** Timers hold no more; and a clock that was set is noticed. */
const LONGEST_SLEEP_MS = 60_000;
const REST_MS = 60_000;

/** How long to wait after so many attempts, in milliseconds. */
export function waitAfter(attempts: number): number {
  return Math.min(LONGEST_WAIT_MS, Math.round(FIRST_WAIT_MS * WAIT_GROWTH ** (attempts - 1)));
}

/**
 * Sends firings to their alerts' webhooks, and again where one does not take it. What waits stands in the database, so
 * that a restart goes on. A message may come twice; its id in the header tells.
 */
@Injectable()
export class WebhookDeliveries implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly underWay = new Map<number, Promise<void>>();
  private readonly stopping = new AbortController();
  private restUntil = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly configuration: Configuration,
    private readonly store: FiringStore,
    private readonly webhooks: Webhooks,
    private readonly sender: WebhookSender,
    private readonly logger: AppLogger,
  ) {}

  onApplicationBootstrap(): void {
    this.store.giveUpTests('Slipway was stopped before it was tried');
    this.look();
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.stopping.abort();
    clearTimeout(this.timer);
    await Promise.all(this.underWay.values());
  }

  /** Sends what is due, and comes back when more will be. */
  look(): void {
    if (this.stopping.signal.aborted) return;
    const now = Date.now();
    if (now < this.restUntil) {
      this.sleep(this.restUntil - now);
      return;
    }
    try {
      // One that is under way is due by what the table says.
      for (const id of this.store.due(new Date(now).toISOString(), 2 * AT_ONCE)) {
        if (this.underWay.size >= AT_ONCE) return;
        if (!this.underWay.has(id)) this.begin(id);
      }
      const next = this.store.nextDue();
      if (next === undefined) clearTimeout(this.timer);
      else this.sleep(Math.max(Date.parse(next) - now, this.underWay.size > 0 ? FIRST_WAIT_MS : 0));
    } catch (error) {
      this.rest(error);
    }
  }

  /** Tries a firing out, once. @returns how that went. */
  async test(firing: Firing): Promise<Firing> {
    const { webhook, ...rest } = firing;
    if (webhook.state !== 'waiting') return firing;
    return { ...rest, webhook: await this.attempt(firing, true) };
  }

  private sleep(ms: number): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.look(), Math.min(ms, LONGEST_SLEEP_MS));
    this.timer.unref();
  }

  /** While the database takes nothing, what was sent would be sent again and again. */
  private rest(error: unknown): void {
    this.logger.warning(`Webhooks of alerts wait for a minute: ${reasonOf(error)}`);
    this.restUntil = Date.now() + REST_MS;
    this.sleep(REST_MS);
  }

  private begin(id: number): void {
    const work = this.deliver(id)
      .catch((error: unknown) => this.rest(error))
      .finally(() => {
        this.underWay.delete(id);
        this.look();
      });
    this.underWay.set(id, work);
  }

  private async deliver(id: number): Promise<void> {
    const firing = this.store.get(id);
    if (firing?.webhook.state === 'waiting') await this.attempt(firing, false);
  }

  private async attempt(firing: Firing, once: boolean): Promise<Firing['webhook']> {
    const attempts = firing.webhook.attempts + 1;
    let status: number | null = null;
    let error: string | null = null;
    try {
      status = await this.send(firing, attempts);
      if (status < 200 || status > 299) {
        error = `It answered ${status}${status > 299 && status < 400 ? ', a redirect, which is not followed' : ''}.`;
      }
    } catch (thrown) {
      // A stop is no attempt.
      if (this.stopping.signal.aborted) return firing.webhook;
      // Anything else could hold the address.
      error = thrown instanceof WebhookError ? `${thrown.message}.` : 'It could not be sent.';
    }
    const ends = error === null || once || attempts >= MAX_ATTEMPTS;
    const state = error === null ? 'delivered' : ends ? 'failed' : 'waiting';
    this.store.noteAttempt(firing.id, {
      state,
      attempts,
      status,
      error,
      next_attempt_at: ends ? null : new Date(Date.now() + waitAfter(attempts)).toISOString(),
    });
    if (state === 'failed') {
      this.logger.warning(`The webhook of alert ${firing.alert_id} was not delivered: ${error ?? ''}`);
    }
    return { state, attempts, status, error };
  }

  /** @throws WebhookError */
  private async send(firing: Firing, attempts: number): Promise<number> {
    const webhook = await this.webhooks.of(firing.alert_id);
    if (!webhook) throw new WebhookError('Its address is not kept any more; give it again');
    const {
      webhook: { state, status, error },
      ...rest
    } = firing;
    const link = this.linkOf(firing);
    const message = webhookMessage(
      webhook.form,
      { ...rest, webhook: { state, attempts, status, error } },
      link,
    );
    const { body } = message;
    const headers: Record<string, string> = {
      ...message.headers,
      'user-agent': 'Slipway',
      'x-slipway-delivery': String(firing.id),
    };
    if (webhook.secret !== null) {
      headers['x-slipway-signature'] =
        `sha256=${createHmac('sha256', webhook.secret).update(body).digest('hex')}`;
    }
    const signal = AbortSignal.any([AbortSignal.timeout(ATTEMPT_MS), this.stopping.signal]);
    return await this.sender.post(new URL(webhook.url), headers, body, signal);
  }

  /** The page of the alert, at the log board's outside address, its first further name, or this machine's. */
  private linkOf({ alert_id }: Firing): string {
    const { allowedHosts, logBoardPort, logBoardPublicUrl } = this.configuration.values;
    const [name = 'localhost'] = allowedHosts;
    const host = /:\d+$/.test(name) ? name : `${name}:${logBoardPort}`;
    const origin = logBoardPublicUrl || `${schemeOf(this.configuration)}://${host}`;
    return `${origin}/alerts?alert=${alert_id}`;
  }
}
