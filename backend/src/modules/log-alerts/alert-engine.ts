import { Injectable, type BeforeApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { BehaviorSubject, distinctUntilChanged, Subject, type Observable } from 'rxjs';
import { reasonOf } from '../../core/errors/index.js';
import { AppLogger } from '../../core/logging/index.js';
import type { LogLine } from '../../drivers/log-store/index.js';
import { presentLine, type LineDto } from '../log-lines/index.js';
import type { AlertFiringDto } from './alert.dto.js';
import { AlertRule, type ObservedSource, type SourceLine } from './alert-rule.js';
import { AlertStore, type Alert } from './alert.store.js';
import { FiringStore } from './firing.store.js';
import { RegexQueue, type RegexRule } from './regex-queue.js';
import { matchesSource } from './source-match.js';
import { WebhookDeliveries } from './webhook-deliveries.js';

/** Characters of a line that a firing keeps. The full line is in the log store. */
const MAX_SAMPLE_LENGTH = 4000;

interface RuleStatus {
  /** Lines in the window that ends now. */
  count: number;
  firing: boolean;
  /** Lines that were skipped because they arrived too fast. */
  missed: number;
}

const INACTIVE: RuleStatus = { count: 0, firing: false, missed: 0 };

/** An enabled alert, with its entry in the regex queue if it has a regex. */
interface ActiveRule {
  rule: AlertRule;
  regexRule: RegexRule<SourceLine> | null;
}

/** Counts live lines by rule and fires at the threshold. It does not read stored lines. */
@Injectable()
export class AlertEngine implements OnModuleInit, BeforeApplicationShutdown {
  private readonly rules = new Map<number, ActiveRule>();
  /** Rules by source. A rename of the source or a change of a rule invalidates an entry. */
  private bySource = new Map<number, { source: ObservedSource; rules: readonly ActiveRule[] }>();
  private readonly regexQueue = new RegexQueue<SourceLine>();
  private readonly notifications = new Subject<AlertFiringDto>();

  private readonly hasRules = new BehaviorSubject(false);

  readonly isWatching: Observable<boolean> = this.hasRules.pipe(distinctUntilChanged());

  /** Firings of alerts with browser notifications, for open pages. */
  readonly firings: Observable<AlertFiringDto> = this.notifications.asObservable();

  constructor(
    private readonly alerts: AlertStore,
    private readonly firingStore: FiringStore,
    private readonly deliveries: WebhookDeliveries,
    private readonly logger: AppLogger,
  ) {}

  onModuleInit(): void {
    for (const alert of this.alerts.list()) this.set(alert);
  }

  beforeApplicationShutdown(): void {
    for (const id of this.rules.keys()) this.forget(id);
  }

  /** Counts new lines of a source. It neither throws nor blocks: regexes run in a process of their own. */
  observe(source: ObservedSource, lines: readonly LogLine[]): void {
    if (this.rules.size === 0) return;
    const named = { id: source.id, identity: source };
    for (const { rule, regexRule } of this.rulesFor(source)) {
      for (const line of lines) {
        if (!rule.match.fits(line, named)) continue;
        if (regexRule) this.regexQueue.add(regexRule, { source, line }, line.text);
        else this.count(rule, { source, line });
      }
    }
  }

  /** Adds or replaces the rule of an alert. Its count starts at zero. */
  set(alert: Alert): void {
    this.forget(alert.id);
    if (alert.enabled) {
      const rule = new AlertRule(alert);
      this.rules.set(alert.id, { rule, regexRule: this.regexRuleOf(rule) });
    }
    this.hasRules.next(this.rules.size > 0);
  }

  remove(alertId: number): void {
    this.forget(alertId);
    this.hasRules.next(this.rules.size > 0);
  }

  forgetSource(id: number): void {
    this.bySource.delete(id);
  }

  statusOf(alertId: number): RuleStatus {
    const rule = this.rules.get(alertId)?.rule;
    if (!rule) return INACTIVE;
    return { count: rule.countNow(), firing: rule.isFiring(), missed: rule.missed };
  }

  get firingNow(): number {
    let count = 0;
    for (const { rule } of this.rules.values()) if (rule.isFiring()) count += 1;
    return count;
  }

  notify(firing: AlertFiringDto): void {
    this.notifications.next(firing);
  }

  private forget(alertId: number): void {
    const before = this.rules.get(alertId);
    if (before?.regexRule) this.regexQueue.remove(before.regexRule);
    this.rules.delete(alertId);
    this.bySource = new Map();
  }

  private rulesFor(source: ObservedSource): readonly ActiveRule[] {
    const known = this.bySource.get(source.id);
    if (known?.source.name === source.name && known.source.workload === source.workload) return known.rules;
    const rules = [...this.rules.values()].filter(({ rule }) => matchesSource(rule.alert.sources, source));
    this.bySource.set(source.id, { source, rules });
    return rules;
  }

  private regexRuleOf(rule: AlertRule): RegexRule<SourceLine> | null {
    const { regex } = rule.match;
    // The rule may have been replaced while the process was matching.
    const isActive = (): boolean => this.rules.get(rule.alert.id)?.rule === rule;
    return (
      regex && {
        regex,
        onMatches: (lines) => {
          if (isActive()) for (const line of lines) this.count(rule, line);
        },
        onSkipped: (count) => (rule.missed += count),
        onTimeout: () => {
          if (isActive()) this.disable(rule);
        },
      }
    );
  }

  private count(rule: AlertRule, { source, line }: SourceLine): void {
    if (!rule.count(line)) return;
    const { alert, counted: count } = rule;
    const time = new Date().toISOString();
    const { id: alert_id, name } = alert;
    const sample = sampleOf(source.id, line);
    try {
      const firing = this.alerts.transaction(() => {
        this.alerts.recordFiring(alert_id, time);
        return this.firingStore.insert(
          { alert_id, name, time, count, sample, source_key: source.key, test: false },
          alert.webhook,
        );
      });
      if (alert.browser) this.notify({ ...firing, kept: true });
      this.deliveries.run();
    } catch (error) {
      // A full disk must not stop the reading of logs.
      this.logger.error(`Could not store a firing of alert ${alert_id}: ${reasonOf(error)}`);
    }
  }

  private disable({ alert }: AlertRule): void {
    this.remove(alert.id);
    this.logger.warning(`Disabled alert ${alert.id}: its regular expression took too long`);
    try {
      this.alerts.disable(
        alert.id,
        'Slipway disabled the alert because its regular expression took too long on a line. Change the regular expression, then enable the alert again.',
      );
    } catch (error) {
      this.logger.error(`Could not store that alert ${alert.id} is disabled: ${reasonOf(error)}`);
    }
  }
}

function sampleOf(source: number, line: LogLine): LineDto {
  const text = line.text.slice(0, MAX_SAMPLE_LENGTH);
  const cut = line.cut + Buffer.byteLength(line.text.slice(MAX_SAMPLE_LENGTH));
  return presentLine(source, { ...line, text, cut });
}
