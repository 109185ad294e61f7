import { Injectable } from '@nestjs/common';
import { DomainError, invalidField, reasonOf } from '../../core/errors/index.js';
import { readTime } from '../../core/values/index.js';
import { WebhookSender } from '../../drivers/registry/index.js';
import { LogStoreAccess, SourceRegistry } from '../log-sources/index.js';
import { AlertEngine } from './alert-engine.js';
import type { AlertDto, AlertFiringDto, SaveAlertDto, WebhookRequestDto } from './alert.dto.js';
import { AlertStore, type Alert, type AlertSettings } from './alert.store.js';
import { FiringStore, type Firing } from './firing.store.js';
import { LineMatch } from './line-match.js';
import type { Regex } from './match-texts.js';
import { WebhookDeliveries } from './webhook-deliveries.js';
import { Webhooks, type Webhook } from './webhooks.js';

export const MAX_ALERTS = 100;

@Injectable()
export class AlertsService {
  constructor(
    private readonly store: AlertStore,
    private readonly firings: FiringStore,
    private readonly engine: AlertEngine,
    private readonly webhooks: Webhooks,
    private readonly sender: WebhookSender,
    private readonly deliveries: WebhookDeliveries,
    private readonly logStore: LogStoreAccess,
    private readonly sources: SourceRegistry,
  ) {}

  /** Sorted by name. */
  async list(): Promise<AlertDto[]> {
    return await Promise.all(this.store.list().map((alert) => this.present(alert)));
  }

  /** @throws DomainError `invalid_input` for a bad regex, webhook or name. */
  async create(request: SaveAlertDto): Promise<AlertDto> {
    const webhook = await this.check(request, undefined);
    if (this.store.count() >= MAX_ALERTS) {
      throw invalidField('name', `cannot be added: the maximum is ${MAX_ALERTS} alerts`);
    }
    const id = this.store.transaction(() => {
      const created = this.store.insert(settingsOf(request), new Date().toISOString());
      if (created === undefined) throw nameExists(request.name);
      this.webhooks.put(created, webhook);
      return created;
    });
    return await this.activate(id);
  }

  /** Resets the count. @throws DomainError `alert_not_found`, or as `create`. */
  async update(id: number, request: SaveAlertDto): Promise<AlertDto> {
    this.find(id);
    const webhook = await this.check(request, this.webhooks.of(id));
    this.store.transaction(() => {
      this.find(id);
      if (!this.store.update(id, settingsOf(request))) throw nameExists(request.name);
      this.webhooks.put(id, webhook);
      if (!webhook) this.firings.cancelDeliveries(id, 'The webhook was removed.');
    });
    return await this.activate(id);
  }

  /** Also deletes its firings and cancels pending deliveries. @throws DomainError `alert_not_found` */
  async remove(id: number): Promise<void> {
    this.find(id);
    this.store.transaction(() => {
      if (!this.store.remove(id)) throw notFound(id);
      this.webhooks.put(id, null);
    });
    this.engine.remove(id);
  }

  /** Newest first. @throws DomainError `alert_not_found`, `storage_unavailable` if the log store cannot be opened */
  async firingsOf(id: number): Promise<AlertFiringDto[]> {
    this.find(id);
    const firings = this.firings.list(id);
    if (firings.some(({ sample }) => sample !== null)) await this.logStore.get();
    return firings.map((firing) => this.presentFiring(firing));
  }

  /**
   * Fires an alert for a test: notifies open pages, and sends the webhook once.
   * @throws DomainError `alert_not_found`
   */
  async test(id: number): Promise<AlertFiringDto> {
    const alert = this.find(id);
    const { name, threshold: count } = alert;
    const time = new Date().toISOString();
    const firing = this.firings.insert(
      { alert_id: id, name, time, count, sample: null, source_key: null, test: true },
      alert.webhook,
    );
    if (alert.browser) this.engine.notify({ ...firing, kept: false });
    return { ...(await this.deliveries.test(firing)), kept: false };
  }

  private async activate(id: number): Promise<AlertDto> {
    const alert = this.find(id);
    this.engine.set(alert);
    this.deliveries.run();
    return await this.present(alert);
  }

  private find(id: number): Alert {
    const alert = this.store.get(id);
    if (!alert) throw notFound(id);
    return alert;
  }

  private async present(alert: Alert): Promise<AlertDto> {
    const { count, firing, missed } = this.engine.statusOf(alert.id);
    const webhook = alert.webhook ? this.webhooks.of(alert.id) : undefined;
    const webhookProblem =
      alert.webhook && !webhook ? 'Slipway cannot read the URL of the webhook. Enter it again.' : null;
    return {
      ...alert,
      state: firing ? 'firing' : 'quiet',
      count,
      missed,
      problem: alert.problem ?? webhookProblem,
      webhook: webhook ? { url: webhook.url, form: webhook.form, has_secret: webhook.secret !== null } : null,
    };
  }

  private presentFiring(firing: Firing): AlertFiringDto {
    const { sample } = firing;
    const source = sample ? this.sources.find(sample.source) : undefined;
    if (!sample || !source) return { ...firing, kept: false };
    const { key } = source.identity;
    // A new log store assigns source ids again, hence the key. Old firings have no key.
    const isSame = firing.source_key === null || firing.source_key === key;
    const kept = isSame && this.sources.keeps(sample.source, sample.seq, readTime(sample.time) ?? 0);
    return { ...firing, source_key: firing.source_key ?? key, kept };
  }

  /** Validates a request. @returns the webhook to store. */
  private async check(
    { query, webhook }: SaveAlertDto,
    before: Webhook | undefined,
  ): Promise<Webhook | null> {
    const { regex } = new LineMatch(query);
    if (regex) checkSyntax(regex, query.text === null ? 'query.query' : 'query.text');
    return webhook ? await this.checkWebhook(webhook, before) : null;
  }

  private async checkWebhook(
    { url: given, form, secret }: WebhookRequestDto,
    before: Webhook | undefined,
  ): Promise<Webhook> {
    const url = URL.canParse(given) ? new URL(given) : undefined;
    if (!url?.host) throw invalidField('webhook.url', 'must be a URL that starts with https://');
    const problem = await this.sender.problemOf(url);
    if (problem !== null) throw invalidField('webhook.url', problem);
    url.hash = '';
    return { url: url.href, form, secret: secret === undefined ? (before?.secret ?? null) : secret };
  }
}

function checkSyntax({ source, flags }: Regex, field: string): void {
  try {
    // eslint-disable-next-line no-restricted-syntax -- Only compiled here.
    new RegExp(source, flags);
  } catch (error) {
    const reason = reasonOf(error).replace(/^Invalid regular expression: /, '');
    throw invalidField(field, `is not a valid regular expression: ${reason}`);
  }
}

function settingsOf(request: SaveAlertDto): AlertSettings {
  const { sources, webhook, ...settings } = request;
  // Empty fields match all, as missing ones do.
  const given = Object.entries(sources).filter(([, value]) => value !== '');
  return { ...settings, sources: Object.fromEntries(given), webhook: webhook !== null };
}

function nameExists(name: string): DomainError {
  return invalidField('name', `already exists: there is another alert ${name}`);
}

function notFound(id: number): DomainError {
  return new DomainError('alert_not_found', `Alert ${id} does not exist.`);
}
