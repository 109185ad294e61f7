import { Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { interval, of, Subscription, switchMap } from 'rxjs';
import { AlertEngine } from '../log-alerts/index.js';
import { LineBus, SourceRegistry } from '../log-sources/index.js';
import { LogsGateway } from './logs.gateway.js';

/** Alerts stop firing without an event, so they are counted periodically. Counting 100 takes a few µs. */
const COUNT_INTERVAL_MS = 1000;

/** Passes collected lines to the alerts, and sends firings and their number to open pages. */
@Injectable()
export class AlertRelay implements OnModuleInit, OnApplicationShutdown {
  private readonly subscriptions = new Subscription();

  constructor(
    private readonly alerts: AlertEngine,
    private readonly bus: LineBus,
    private readonly sources: SourceRegistry,
    private readonly gateway: LogsGateway,
  ) {}

  onModuleInit(): void {
    this.subscriptions.add(
      this.bus.appended.subscribe(({ source: id, lines }) => {
        const entry = this.sources.find(id);
        if (entry) this.alerts.observe({ ...entry.identity, id }, lines);
      }),
    );
    this.subscriptions.add(
      this.sources.changes.subscribe((id) => {
        const entry = this.sources.find(id);
        if (!entry || entry.state === 'gone') this.alerts.forgetSource(id);
      }),
    );
    this.subscriptions.add(
      this.alerts.firings.subscribe((alert) => {
        this.gateway.broadcast({ type: 'alert', alert });
        this.sendFiring();
      }),
    );
    // Without alerts, it counts once, so that pages stop showing the last firing.
    this.subscriptions.add(
      this.alerts.isWatching
        .pipe(switchMap((isWatching) => (isWatching ? interval(COUNT_INTERVAL_MS) : of(0))))
        .subscribe(() => this.sendFiring()),
    );
  }

  onApplicationShutdown(): void {
    this.subscriptions.unsubscribe();
  }

  private sendFiring(): void {
    this.gateway.sendAlertsFiring(this.alerts.firingNow);
  }
}
