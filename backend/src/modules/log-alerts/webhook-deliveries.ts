import { createHmac } from 'node:crypto';
import { Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { Configuration } from '../../core/config/index.js';
import { reasonOf, guardedTimeout } from '../../core/errors/index.js';
import { AppLogger } from '../../core/logging/index.js';
import { schemeOf } from '../../core/security/index.js';
import { WebhookError, WebhookSender } from '../../drivers/registry/index.js';
import { FiringStore, type Firing } from './firing.store.js';
import { webhookMessage } from './webhook-message.js';
import { Webhooks } from './webhooks.js';

const MAX_ATTEMPTS = 8;
const ATTEMPT_MS = 10_000;
const MAX_CONCURRENT = 4;
const MIN_BACKOFF_MS = 1000;
const MAX_BACKOFF_MS = 5 * 60_000;
/** From 1 s to 5 minutes within 8 attempts. */
const BACKOFF_FACTOR = 2.6;
/** A timer does not notice that the clock was set, so it is renewed every minute. */
const MAX_SLEEP_MS = 60_000;
const PAUSE_MS = 60_000;

function backoffAfter(attempts: number): number {
  return Math.min(MAX_BACKOFF_MS, Math.round(MIN_BACKOFF_MS * BACKOFF_FACTOR ** (attempts - 1)));
}

/**
 * Sends firings to webhooks, with retries. Pending deliveries are in the database and survive a restart. A receiver may
 * get a message twice and can recognize it by the id in its header.
 */
@Injectable()
export class WebhookDeliveries implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly running = new Map<number, Promise<void>>();
  private readonly stopping = new AbortController();
  /** By `performance.now`, so that a clock that is set back does not prolong it. */
  private pausedUntil = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly configuration: Configuration,
    private readonly store: FiringStore,
    private readonly webhooks: Webhooks,
    private readonly sender: WebhookSender,
    private readonly logger: AppLogger,
  ) {}

  onApplicationBootstrap(): void {
    this.store.cancelTests('Slipway stopped before the test finished.');
    this.run();
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.stopping.abort();
    clearTimeout(this.timer);
    await Promise.all(this.running.values());
  }

  /** Starts the deliveries that are due, and schedules the next ones. */
  run(): void {
    if (this.stopping.signal.aborted) return;
    const paused = this.pausedUntil - performance.now();
    if (paused > 0) {
      this.sleep(paused);
      return;
    }
    const now = Date.now();
    try {
      // A running delivery is still due in the table, hence twice as many.
      for (const id of this.store.due(new Date(now).toISOString(), 2 * MAX_CONCURRENT)) {
        if (this.running.size >= MAX_CONCURRENT) return;
        if (!this.running.has(id)) this.start(id);
      }
      const next = this.store.nextDue();
      if (next === undefined) clearTimeout(this.timer);
      else this.sleep(Math.max(Date.parse(next) - now, this.running.size > 0 ? MIN_BACKOFF_MS : 0));
    } catch (error) {
      this.pause(error);
    }
  }

  async test(firing: Firing): Promise<Firing> {
    if (firing.webhook.state !== 'waiting') return firing;
    return { ...firing, webhook: await this.attempt(firing, true) };
  }

  private sleep(ms: number): void {
    clearTimeout(this.timer);
    const pause = (error: unknown): void => this.pause(error);
    this.timer = guardedTimeout(() => this.run(), Math.min(ms, MAX_SLEEP_MS), pause).unref();
  }

  /** If the database cannot record attempts, the same messages would be sent again and again. */
  private pause(error: unknown): void {
    this.logger.warning(`Paused alert webhooks for a minute: ${reasonOf(error)}`);
    this.pausedUntil = performance.now() + PAUSE_MS;
    this.sleep(PAUSE_MS);
  }

  private start(id: number): void {
    const work = this.deliver(id)
      .catch((error: unknown) => this.pause(error))
      .finally(() => {
        this.running.delete(id);
        this.run();
      });
    this.running.set(id, work);
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
        error = `The webhook returned ${status}${status > 299 && status < 400 ? ', a redirect, which Slipway does not follow' : ''}.`;
      }
    } catch (thrown) {
      // A shutdown does not count as an attempt.
      if (this.stopping.signal.aborted) return firing.webhook;
      // Other errors may contain the URL, which is secret.
      error = thrown instanceof WebhookError ? `${thrown.message}.` : 'Could not send the message.';
    }
    const isFinal = error === null || once || attempts >= MAX_ATTEMPTS;
    const state = error === null ? 'delivered' : isFinal ? 'failed' : 'waiting';
    this.store.recordAttempt(firing.id, {
      state,
      attempts,
      status,
      error,
      next_attempt_at: isFinal ? null : new Date(Date.now() + backoffAfter(attempts)).toISOString(),
    });
    if (state === 'failed') {
      this.logger.warning(`Could not deliver the webhook of alert ${firing.alert_id}: ${error ?? ''}`);
    }
    return { state, attempts, status, error };
  }

  /** @throws WebhookError */
  private async send(firing: Firing, attempts: number): Promise<number> {
    const webhook = this.webhooks.of(firing.alert_id);
    if (!webhook) throw new WebhookError('The URL of the webhook cannot be read. Enter it again');
    const { state, status, error } = firing.webhook;
    const attempted = { ...firing, webhook: { state, attempts, status, error } };
    const { headers: ofForm, body } = webhookMessage(webhook.form, attempted, this.linkOf(firing));
    const headers: Record<string, string> = {
      ...ofForm,
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

  /** URL of the alert's page: at the public URL if set, else at the first allowed host, else at localhost. */
  private linkOf({ alert_id }: Firing): string {
    const { allowedHosts, logBoardPort, logBoardPublicUrl } = this.configuration.values;
    const [name = 'localhost'] = allowedHosts;
    const host = /:\d+$/.test(name) ? name : `${name}:${logBoardPort}`;
    const origin = logBoardPublicUrl || `${schemeOf(this.configuration)}://${host}`;
    return `${origin}/alerts?alert=${alert_id}`;
  }
}
