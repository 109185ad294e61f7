import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from '@jest/globals';
import type { LogLine } from '../../../backend/src/drivers/log-store/index.js';
import { AlertEngine } from '../../../backend/src/modules/log-alerts/alert-engine.js';
import type { ObservedSource } from '../../../backend/src/modules/log-alerts/alert-rule.js';
import type { AlertFiringDto } from '../../../backend/src/modules/log-alerts/alert.dto.js';
import type { ApiResponse } from './api-client.js';
import { signIn } from './signed-in.js';
import { startLogBoard, type TestApp } from './start-app.js';
import { WebhookReceiver } from './webhook-receiver.js';

const SOURCE: ObservedSource = {
  id: 17,
  key: 'pod/docker/payments-dev/1/api',
  kind: 'pod',
  runtime: 'docker',
  cluster: 'payments-dev',
  namespace: 'payments',
  workload: 'Deployment/payments-api',
  name: 'payments-api-7d9f8b6c54-x2lqp',
  container: 'api',
  role: 'main',
  service: null,
  previous: null,
};

let seq = 0;
export function line(text: string, level: LogLine['level'] = 'error'): LogLine {
  seq += 1;
  return { seq, time: Date.now() * 1000, stream: 'stderr', level, text, cut: 0, continues: false };
}

/** A log board whose alerts send their webhooks to a receiver. */
export class AlertApiBench {
  board!: TestApp;
  private bearer!: { authorization: string };

  private constructor(
    private readonly folder: string,
    readonly receiver: WebhookReceiver,
  ) {}

  static async open(): Promise<AlertApiBench> {
    const folder = await mkdtemp(join(tmpdir(), 'slipway-alerts-'));
    const bench = new AlertApiBench(folder, await WebhookReceiver.start());
    await bench.start();
    return bench;
  }

  async close(): Promise<void> {
    await this.board.stop();
    await this.receiver.stop();
    await rm(this.folder, { recursive: true, force: true });
  }

  async start(): Promise<void> {
    const environment = {
      APP_WEBHOOK_HOSTS: `127.0.0.1:${this.receiver.port}`,
      APP_ALLOWED_HOSTS: 'logs.test',
    };
    this.board = await startLogBoard({ environment, dataDirectory: this.folder });
    ({ bearer: this.bearer } = await signIn(this.board));
  }

  async send(method: string, path: string, body?: object): Promise<ApiResponse> {
    return await this.board.client.send(method, path, { headers: this.bearer, ...(body ? { body } : {}) });
  }

  async create<TRecord>(path: string, body: object): Promise<TRecord> {
    const response = await this.send('POST', path, body);
    if (response.status !== 201) throw new Error(`${path} returned ${response.status}: ${response.text}`);
    return response.body as TRecord;
  }

  async firingsOf(id: number): Promise<AlertFiringDto[]> {
    return (await this.send('GET', `/api/alerts/${id}/firings`)).body as AlertFiringDto[];
  }

  observe(...lines: LogLine[]): void {
    this.board.nest.get(AlertEngine, { strict: false }).observe(SOURCE, lines);
  }

  forgetReceived(): void {
    this.receiver.received.length = 0;
    this.receiver.responses.length = 0;
  }

  async removeAlerts(): Promise<void> {
    for (const { id } of (await this.send('GET', '/api/alerts')).body as { id: number }[]) {
      expect((await this.send('DELETE', `/api/alerts/${id}`)).body).toEqual({ id });
    }
  }
}
