import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { jest } from '@jest/globals';
import { plainToInstance } from 'class-transformer';
import { readConfiguration } from '../../../backend/src/core/config/configuration.js';
import { AppLogger } from '../../../backend/src/core/logging/app-logger.js';
import { SealedSecretStore } from '../../../backend/src/core/secrets/sealed-secret.store.js';
import { SecretBox } from '../../../backend/src/core/secrets/secret-box.js';
import { Database } from '../../../backend/src/core/storage/database.js';
import { DataDirectory } from '../../../backend/src/core/storage/data-directory.js';
import { migrations } from '../../../backend/src/core/storage/migrations.js';
import type { LogLine } from '../../../backend/src/drivers/log-store/index.js';
import { AlertEngine } from '../../../backend/src/modules/log-alerts/alert-engine.js';
import type { ObservedSource } from '../../../backend/src/modules/log-alerts/alert-rule.js';
import {
  SaveAlertDto,
  type AlertDto,
  type AlertFiringDto,
} from '../../../backend/src/modules/log-alerts/alert.dto.js';
import { AlertStore } from '../../../backend/src/modules/log-alerts/alert.store.js';
import { AlertsService } from '../../../backend/src/modules/log-alerts/alerts.service.js';
import { FiringStore } from '../../../backend/src/modules/log-alerts/firing.store.js';
import { WebhookDeliveries } from '../../../backend/src/modules/log-alerts/webhook-deliveries.js';
import { Webhooks } from '../../../backend/src/modules/log-alerts/webhooks.js';
import type { LogStoreAccess, SourceRegistry } from '../../../backend/src/modules/log-sources/index.js';
import { ScriptedSender } from './scripted-sender.js';

const NOW = Date.parse('2026-11-22T08:00:00Z');

export const SOURCE: ObservedSource = {
  id: 17,
  key: 'container/docker/1',
  kind: 'container',
  runtime: 'docker',
  cluster: null,
  namespace: null,
  workload: null,
  name: 'web',
  container: null,
  role: null,
  service: null,
  previous: null,
};

/** A request as the validation pipe passes it on. */
function validated(request: object): SaveAlertDto {
  return plainToInstance(SaveAlertDto, request);
}

/** A registry with one source, whose lines from `firstSeq` on are stored. */
export function sourcesWith(known: { key: string; id: number; firstSeq: number }): SourceRegistry {
  return {
    find: (id: number) => (id === known.id ? { id, identity: { ...SOURCE, key: known.key } } : undefined),
    keeps: (id: number, line: number) => id === known.id && line >= known.firstSeq,
  } as unknown as SourceRegistry;
}

/** The alerts of a log board on a database in a temporary folder, with a clock that the test advances. */
export class AlertsBench {
  readonly sender = new ScriptedSender();
  firings!: FiringStore;
  engine!: AlertEngine;
  alerts!: AlertsService;
  notified: AlertFiringDto[] = [];
  sources = sourcesWith({ ...SOURCE, firstSeq: 1 });
  /** The number of the last line. */
  seq = 0;
  private readonly configuration = readConfiguration({ APP_LOG_BOARD_PUBLIC_URL: 'https://logs.test' });
  private readonly logger = AppLogger.create(this.configuration, { write: () => undefined });
  private deliveries!: WebhookDeliveries;

  private constructor(
    readonly folder: string,
    public database: Database,
    private readonly secrets: SealedSecretStore,
  ) {}

  static open(): AlertsBench {
    const folder = mkdtempSync(join(tmpdir(), 'slipway-alerts-'));
    const dataDirectory = DataDirectory.open(readConfiguration({ APP_DATA_DIR: folder }));
    const database = Database.open(dataDirectory.database, migrations);
    const secrets = SealedSecretStore.open(database, new SecretBox('5a'.repeat(32)), {
      earlier: [],
      givesUp: false,
    });
    jest.useFakeTimers({ now: NOW, doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'] });
    const bench = new AlertsBench(folder, database, secrets);
    bench.start();
    return bench;
  }

  /** Creates all services on the same database, as a restart does. */
  start(): void {
    const store = new AlertStore(this.database);
    const webhooks = new Webhooks(this.secrets);
    this.firings = new FiringStore(this.database);
    this.deliveries = new WebhookDeliveries(
      this.configuration,
      this.firings,
      webhooks,
      this.sender,
      this.logger,
    );
    this.engine = new AlertEngine(store, this.firings, this.deliveries, this.logger);
    this.alerts = new AlertsService(
      store,
      this.firings,
      this.engine,
      webhooks,
      this.sender,
      this.deliveries,
      { get: () => Promise.resolve() } as unknown as LogStoreAccess,
      this.sources,
    );
    this.notified = [];
    this.engine.firings.subscribe((firing) => this.notified.push(firing));
    this.engine.onModuleInit();
    this.deliveries.onApplicationBootstrap();
  }

  async stop(): Promise<void> {
    this.engine.beforeApplicationShutdown();
    await this.deliveries.beforeApplicationShutdown();
  }

  async close(): Promise<void> {
    await this.stop();
    jest.useRealTimers();
    this.database.close();
    rmSync(this.folder, { recursive: true, force: true });
  }

  async create(request: object): Promise<AlertDto> {
    return await this.alerts.create(validated(request));
  }

  async update(id: number, request: object): Promise<AlertDto> {
    return await this.alerts.update(id, validated(request));
  }

  async only(id: number): Promise<AlertDto> {
    const found = (await this.alerts.list()).find((alert) => alert.id === id);
    if (!found) throw new Error(`no alert ${id}`);
    return found;
  }

  async pass(seconds: number): Promise<void> {
    await jest.advanceTimersByTimeAsync(seconds * 1000);
  }

  lines(count: number, text = 'upstream timeout'): LogLine[] {
    return Array.from({ length: count }, () => ({
      seq: (this.seq += 1),
      time: Date.now() * 1000 + 3,
      stream: 'stderr' as const,
      level: 'error' as const,
      text,
      cut: 0,
      continues: false,
    }));
  }
}
