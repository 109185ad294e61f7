import { Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { interval, of, Subscription, switchMap } from 'rxjs';
import { AlertEngine } from '../log-alerts/index.js';
import { LineBus, SourceRegistry } from '../log-sources/index.js';
import { LogsGateway } from './logs.gateway.js';

/** Rules go back to rest without a message. Counting a hundred of them takes some microseconds. */
const LOOK_MS = 1000;

/** Shows the alerts every line that is taken in, and tells open pages of those that fire, and how many do. */
@Injectable()
export class AlertRelay implements OnModuleInit, OnApplicationShutdown {
  private readonly listening = new Subscription();

  constructor(
    private readonly alerts: AlertEngine,
    private readonly bus: LineBus,
    private readonly sources: SourceRegistry,
    private readonly gateway: LogsGateway,
  ) {}

  onModuleInit(): void {
    this.listening.add(
      this.bus.appended.subscribe(({ source: id, lines }) => {
        const entry = this.sources.find(id);
        if (entry) this.alerts.observe({ ...entry.identity, id }, lines);
      }),
    );
    this.listening.add(
      this.sources.changes.subscribe((id) => {
        const entry = this.sources.find(id);
        if (!entry || entry.state === 'gone') this.alerts.forgetSource(id);
      }),
    );
    this.listening.add(
      this.alerts.firings.subscribe((alert) => {
        this.gateway.broadcast({ type: 'alert', alert });
        this.look();
      }),
    );
    // With no rule one look, by which the last that fired is at rest.
    this.listening.add(
      this.alerts.isWatching
        .pipe(switchMap((isWatching) => (isWatching ? interval(LOOK_MS) : of(0))))
        .subscribe(() => this.look()),
    );
  }

  onApplicationShutdown(): void {
    this.listening.unsubscribe();
  }

  private look(): void {
    this.gateway.tellAlertsFiring(this.alerts.firingNow);
  }
}
