import { Injectable, type BeforeApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { BehaviorSubject, distinctUntilChanged, Subject, type Observable } from 'rxjs';
import { reasonOf } from '../../core/errors/index.js';
import { AppLogger } from '../../core/logging/index.js';
import type { LogLine } from '../../drivers/log-store/index.js';
import type { AlertFiringDto } from './alert.dto.js';
import type { Alert } from './alert.js';
import { AlertRule, type ObservedSource, type SourceLine } from './alert-rule.js';
import { AlertStore } from './alert.store.js';
import { FiringStore } from './firing.store.js';
import { PatternQueue, type PatternReader } from './pattern-queue.js';
import { sampleOf } from './sample-line.js';
import { matchesSource } from './source-match.js';
import { WebhookDeliveries } from './webhook-deliveries.js';

/** How a rule stands now. */
export interface RuleStanding {
  /** Lines in the window that ends now. */
  count: number;
  firing: boolean;
  missed: number;
}

const AT_REST: RuleStanding = { count: 0, firing: false, missed: 0 };

/** A rule at work, with its place in the queue of those that need a thread. */
interface WorkingRule {
  rule: AlertRule;
  reader: PatternReader<SourceLine> | null;
}

/** Counts live lines by the rules, and fires where a threshold is reached. It looks at nothing that is stored. */
@Injectable()
export class AlertEngine implements OnModuleInit, BeforeApplicationShutdown {
  private readonly rules = new Map<number, WorkingRule>();
  /** Rules of a source, until they change, or it has another name, or is gone. */
  private ofSource = new Map<number, { source: ObservedSource; rules: readonly WorkingRule[] }>();
  private readonly patterns = new PatternQueue<SourceLine>();
  private readonly fired = new Subject<AlertFiringDto>();

  private readonly hasRules = new BehaviorSubject(false);

  /** Whether any alert is looked for: now, and whenever that changes. */
  readonly isWatching: Observable<boolean> = this.hasRules.pipe(distinctUntilChanged());

  /** What open pages are to be told: firings of alerts that notify in the browser. */
  readonly firings: Observable<AlertFiringDto> = this.fired.asObservable();

  constructor(
    private readonly alerts: AlertStore,
    private readonly kept: FiringStore,
    private readonly deliveries: WebhookDeliveries,
    private readonly logger: AppLogger,
  ) {}

  onModuleInit(): void {
    for (const alert of this.alerts.list()) this.set(alert);
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.rules.clear();
    this.ofSource.clear();
    await this.patterns.end();
  }

  /**
   * Looks at lines of a source as they come, in their order. It never throws, and never waits: with no rule it costs
   * one look, and regular expressions run in a thread beside.
   */
  observe(source: ObservedSource, lines: readonly LogLine[]): void {
    if (this.rules.size === 0) return;
    for (const { rule, reader } of this.rulesOf(source)) {
      for (const line of lines) {
        if (!rule.match.fits(line)) continue;
        if (reader) this.patterns.add(reader, { source, line }, line.text);
        else this.count(rule, { source, line });
      }
    }
  }

  /** Takes an alert on as it is now; what it counted before is forgotten. */
  set(alert: Alert): void {
    this.forget(alert.id);
    if (alert.enabled) {
      const rule = new AlertRule(alert);
      this.rules.set(alert.id, { rule, reader: this.readerOf(rule) });
    }
    this.hasRules.next(this.rules.size > 0);
  }

  remove(alertId: number): void {
    this.forget(alertId);
    this.hasRules.next(this.rules.size > 0);
  }

  /** No more lines are expected of a source. */
  forgetSource(id: number): void {
    this.ofSource.delete(id);
  }

  standing(alertId: number): RuleStanding {
    const rule = this.rules.get(alertId)?.rule;
    if (!rule) return AT_REST;
    return { count: rule.countNow(), firing: rule.isFiring(), missed: rule.missed };
  }

  /** How many rules fire now. Nothing tells when one goes back to rest: it is to be asked again. */
  get firingNow(): number {
    let count = 0;
    for (const { rule } of this.rules.values()) if (rule.isFiring()) count += 1;
    return count;
  }

  /** Tells open pages of a firing. */
  tell(firing: AlertFiringDto): void {
    this.fired.next(firing);
  }

  private forget(alertId: number): void {
    const before = this.rules.get(alertId);
    if (before?.reader) this.patterns.remove(before.reader);
    this.rules.delete(alertId);
    this.ofSource = new Map();
  }

  private rulesOf(source: ObservedSource): readonly WorkingRule[] {
    const known = this.ofSource.get(source.id);
    if (known?.source.name === source.name && known.source.workload === source.workload) return known.rules;
    const rules = [...this.rules.values()].filter(({ rule }) => matchesSource(rule.alert.sources, source));
    this.ofSource.set(source.id, { source, rules });
    return rules;
  }

  private readerOf(rule: AlertRule): PatternReader<SourceLine> | null {
    const { pattern } = rule.match;
    return (
      pattern && {
        pattern,
        matched: (lines) => {
          if (this.isAtWork(rule)) for (const line of lines) this.count(rule, line);
        },
        missed: (count) => (rule.missed += count),
        stopped: (reason) => {
          if (this.isAtWork(rule)) this.disable(rule, reason);
        },
      }
    );
  }

  private isAtWork(rule: AlertRule): boolean {
    return this.rules.get(rule.alert.id)?.rule === rule;
  }

  private count(rule: AlertRule, { source, line }: SourceLine): void {
    if (!rule.count(line)) return;
    const { alert } = rule;
    const time = new Date().toISOString();
    const { id: alert_id, name } = alert;
    const sample = sampleOf(source.id, line);
    try {
      const firing = this.alerts.transaction(() => {
        this.alerts.noteFired(alert_id, time);
        return this.kept.insert(
          { alert_id, name, time, count: rule.counted, sample, source_key: source.key, test: false },
          alert.webhook,
        );
      });
      if (alert.browser) this.tell({ ...firing, kept: true });
      this.deliveries.look();
    } catch (error) {
      // The lines go on: whoever reads them is not to wait for a disk.
      this.logger.error(`Alert ${alert_id} fired, and that could not be kept: ${reasonOf(error)}`);
    }
  }

  private disable({ alert }: AlertRule, reason: string): void {
    this.remove(alert.id);
    const problem = `Its regular expression was stopped, and the alert disabled: ${reason}. Change the expression, and enable it again.`;
    this.logger.warning(`Alert ${alert.id} was disabled: its regular expression was stopped (${reason})`);
    try {
      this.alerts.disable(alert.id, problem);
    } catch (error) {
      this.logger.error(`That alert ${alert.id} is disabled could not be kept: ${reasonOf(error)}`);
    }
  }
}
