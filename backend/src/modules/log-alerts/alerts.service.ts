import { Injectable } from '@nestjs/common';
import { DomainError, invalidInput } from '../../core/errors/index.js';
import { WebhookSender } from '../../drivers/registry/index.js';
import { AlertEngine } from './alert-engine.js';
import type { SaveAlertDto, WebhookRequestDto } from './alert-request.dto.js';
import type { AlertDto, AlertFiringDto } from './alert.dto.js';
import { lineQuery, sourceQuery } from './alert-query.js';
import { MAX_ALERTS, type Alert, type Webhook } from './alert.js';
import { AlertStore, type AlertSettings } from './alert.store.js';
import { FiringLines } from './firing-lines.js';
import { FiringStore } from './firing.store.js';
import { LineMatch } from './line-match.js';
import { PatternCheck } from './pattern-check.js';
import { WebhookDeliveries } from './webhook-deliveries.js';
import { Webhooks } from './webhooks.js';

/** The rules, and what somebody does with them. */
@Injectable()
export class AlertsService {
  constructor(
    private readonly store: AlertStore,
    private readonly firings: FiringStore,
    private readonly engine: AlertEngine,
    private readonly webhooks: Webhooks,
    private readonly sender: WebhookSender,
    private readonly deliveries: WebhookDeliveries,
    private readonly patterns: PatternCheck,
    private readonly lines: FiringLines,
  ) {}

  /** By name. */
  async list(): Promise<AlertDto[]> {
    return await Promise.all(this.store.list().map((alert) => this.present(alert)));
  }

  /** @throws DomainError `invalid_input` for an expression or a webhook that may not be, or a name that is taken. */
  async create(request: SaveAlertDto): Promise<AlertDto> {
    const webhook = await this.checked(request, undefined);
    if (this.store.count() >= MAX_ALERTS) {
      throw invalidInput([
        { field: 'name', problem: `is one too many: ${MAX_ALERTS} alerts are kept at most` },
      ]);
    }
    const keeper = await this.webhooks.keeper();
    const id = this.store.transaction(() => {
      const made = this.store.insert(settingsOf(request), new Date().toISOString());
      if (made === undefined) throw taken(request.name);
      keeper.put(made, webhook);
      return made;
    });
    return await this.begun(id);
  }

  /** What it counted so far is forgotten. @throws DomainError `alert_not_found`, or as `create`. */
  async update(id: number, request: SaveAlertDto): Promise<AlertDto> {
    this.found(id);
    const webhook = await this.checked(request, await this.webhooks.of(id));
    const keeper = await this.webhooks.keeper();
    this.store.transaction(() => {
      this.found(id);
      if (!this.store.update(id, settingsOf(request))) throw taken(request.name);
      keeper.put(id, webhook);
      if (!webhook) this.firings.giveUp(id, 'The webhook was removed.');
    });
    return await this.begun(id);
  }

  /** With its firings; what waits to be sent is not sent any more. @throws DomainError `alert_not_found` */
  async remove(id: number): Promise<void> {
    this.found(id);
    const keeper = await this.webhooks.keeper();
    this.store.transaction(() => {
      if (!this.store.remove(id)) throw notFound(id);
      keeper.put(id, null);
    });
    this.engine.remove(id);
  }

  /** The newest first. @throws DomainError `alert_not_found`, `storage_unavailable` where there is no history */
  async firingsOf(id: number): Promise<AlertFiringDto[]> {
    this.found(id);
    return await this.lines.look(this.firings.list(id));
  }

  /**
   * Fires an alert once to try it out: open pages are told, and its webhook is sent to, once and at once.
   * @throws DomainError `alert_not_found`
   */
  async test(id: number): Promise<AlertFiringDto> {
    const alert = this.found(id);
    const firing = this.firings.insert(
      {
        alert_id: id,
        name: alert.name,
        time: new Date().toISOString(),
        count: alert.threshold,
        sample: null,
        source_key: null,
        test: true,
      },
      alert.webhook,
    );
    if (alert.browser) this.engine.tell({ ...firing, kept: false });
    return { ...(await this.deliveries.test(firing)), kept: false };
  }

  private async begun(id: number): Promise<AlertDto> {
    const alert = this.found(id);
    this.engine.set(alert);
    this.deliveries.look();
    return await this.present(alert);
  }

  private found(id: number): Alert {
    const alert = this.store.get(id);
    if (!alert) throw notFound(id);
    return alert;
  }

  private async present(alert: Alert): Promise<AlertDto> {
    const { count, firing, missed } = this.engine.standing(alert.id);
    const webhook = alert.webhook ? await this.webhooks.of(alert.id) : undefined;
    const lost =
      alert.webhook && !webhook ? 'The address of its webhook cannot be read any more; give it again.' : null;
    return {
      ...alert,
      state: firing ? 'firing' : 'quiet',
      count,
      missed,
      problem: alert.problem ?? lost,
      webhook: webhook ? { url: webhook.url, form: webhook.form, has_secret: webhook.secret !== null } : null,
    };
  }

  /** @returns the webhook as it is to be kept. */
  private async checked(
    { query = {}, webhook }: SaveAlertDto,
    before: Webhook | undefined,
  ): Promise<Webhook | null> {
    const { pattern } = new LineMatch(lineQuery(query));
    const problem = pattern && (await this.patterns.problemOf(pattern));
    if (problem) throw invalidInput([{ field: 'query.text', problem }]);
    return webhook ? await this.checkedWebhook(webhook, before) : null;
  }

  private async checkedWebhook(
    { url: given, form = 'slipway', secret }: WebhookRequestDto,
    before: Webhook | undefined,
  ): Promise<Webhook> {
    const url = URL.canParse(given) ? new URL(given) : undefined;
    const problem =
      url && url.host !== ''
        ? await this.sender.problemOf(url)
        : 'must be an address that begins with https://';
    if (!url || problem !== null) {
      throw invalidInput([{ field: 'webhook.url', problem: problem ?? 'must be an address' }]);
    }
    url.hash = '';
    return { url: url.href, form, secret: secret === undefined ? (before?.secret ?? null) : secret };
  }
}

function settingsOf(request: SaveAlertDto): AlertSettings {
  const { name, enabled = true, query = {}, sources = {}, browser = true } = request;
  const { threshold = 1, window_seconds = 60, quiet_seconds = 300 } = request;
  return {
    name,
    enabled,
    query: lineQuery(query),
    sources: sourceQuery(sources),
    threshold,
    window_seconds,
    quiet_seconds,
    browser,
    webhook: Boolean(request.webhook),
  };
}

function taken(name: string): DomainError {
  return invalidInput([{ field: 'name', problem: `is taken: there is an alert called ${name} already` }]);
}

function notFound(id: number): DomainError {
  return new DomainError('alert_not_found', `There is no alert ${id} any more.`);
}
