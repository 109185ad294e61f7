import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { readConfiguration } from '../../core/config/index.js';
import { AppLogger } from '../../core/logging/index.js';
import { Secrets } from '../../core/secrets/index.js';
import { Database, DataDirectory, migrations } from '../../core/storage/index.js';
import { SyslogSender, WebhookSender } from '../../drivers/registry/index.js';
import { waitFor } from '../../../../test/support/wait-for.js';
import { AuditDelivery } from './audit-delivery.js';
import type { JournalEntry } from './journal-entry.js';
import { JournalService } from './journal.service.js';
import { JournalStore } from './journal.store.js';

/** A receiver with the statuses of its next responses; then 200. */
class Receiver extends WebhookSender {
  readonly statuses: number[] = [];
  readonly batches: JournalEntry[][] = [];

  override problemOf(): Promise<null> {
    return Promise.resolve(null);
  }

  override post(...[, , body]: Parameters<WebhookSender['post']>): Promise<number> {
    const status = this.statuses.shift() ?? 200;
    const lines = body.trimEnd().split('\n');
    if (status === 200) this.batches.push(lines.map((line) => JSON.parse(line) as JournalEntry));
    return Promise.resolve(status);
  }
}

describe('AuditDelivery', () => {
  let folder: string;
  let database: Database;
  let secrets: Secrets;
  let store: JournalStore;
  let journal: JournalService;
  let receiver: Receiver;
  let deliveries: AuditDelivery[];
  let log: string;

  async function openDatabase(): Promise<void> {
    const configuration = readConfiguration({ APP_DATA_DIR: folder });
    database = Database.open(join(folder, 'slipway.db'), migrations);
    secrets = await Secrets.open(configuration, DataDirectory.open(configuration), database);
    store = new JournalStore(database);
    journal = new JournalService(store);
  }

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'slipway-audit-'));
    await openDatabase();
    receiver = new Receiver();
    deliveries = [];
    log = '';
  });

  afterEach(async () => {
    for (const delivery of deliveries) await delivery.beforeApplicationShutdown();
    database.close();
    rmSync(folder, { recursive: true, force: true });
  });

  function begin(target = 'https://audit.test/in?token=canary'): AuditDelivery {
    const configuration = readConfiguration({ APP_DATA_DIR: folder, APP_AUDIT_TARGET: target });
    const logger = AppLogger.create(configuration, { write: (text: string) => void (log += text) });
    const syslog = new SyslogSender(receiver, []);
    const delivery = new AuditDelivery(configuration, store, journal, secrets, receiver, syslog, logger);
    delivery.onApplicationBootstrap();
    deliveries.push(delivery);
    return delivery;
  }

  const record = (count: number): void => {
    for (let left = count; left > 0; left -= 1) journal.record({ kind: 'x', message: 'm', actor: null });
  };
  const ids = (): number[] => receiver.batches.flat().map(({ id }) => id);

  it('delivers while new entries keep coming', async () => {
    record(1);
    begin();
    await waitFor(() => existsSync(join(folder, 'audit-cursor.json')), 'the first delivery');
    await delay(50);
    for (let turn = 0; turn < 12; turn += 1) {
      record(1);
      await delay(50);
    }
    expect(ids().length).toBeGreaterThan(1);
  });

  it('has no state and sends nothing without a target', () => {
    record(1);
    expect(begin('').state()).toBeNull();
    expect(ids()).toEqual([]);
  });

  it('sends batches of 200, and repeats the one that was rejected before others', async () => {
    record(450);
    receiver.statuses.push(200, 503);
    const delivery = begin();
    await waitFor(() => delivery.state()?.ok === false, 'a failure');
    const state = delivery.state()?.text ?? '';
    expect(state).toMatch(
      /^webhook at audit\.test; audit\.test returned 503; 250 entries wait; last delivery 2[\w:.-]+$/,
    );
    await waitFor(() => ids().length === 450, 'all entries');
    expect(ids()).toEqual(Array.from({ length: 450 }, (_, index) => index + 1));
    expect(receiver.batches.map(({ length }) => length)).toEqual([200, 200, 50]);
    expect(log + state).not.toContain('canary');
  });

  it('sends the entry of a job again when the job has ended, also after a restart', async () => {
    const job = { kind: 'create', message: 'Creates.', job_id: 1, actor: null } as const;
    journal.record({ ...job, outcome: 'started' });
    record(1);
    begin();
    await waitFor(() => ids().length === 2, 'two entries');
    await deliveries[0]?.beforeApplicationShutdown();
    journal.complete(1, { ...job, outcome: 'failed' }).announce();
    begin();
    await waitFor(() => ids().length === 3, 'the outcome');
    expect(receiver.batches.flat().map(({ id, outcome }) => [id, outcome])).toEqual([
      [1, 'started'],
      [2, 'succeeded'],
      [1, 'failed'],
    ]);
  });

  it('counts what the retention deleted before it was delivered', async () => {
    record(3);
    begin();
    await waitFor(() => ids().length === 3, 'three entries');
    await deliveries[0]?.beforeApplicationShutdown();
    record(10);
    store.deleteOldest({ before: '', kept: 5, most: 100 });
    const delivery = begin();
    await waitFor(() => ids().length === 8, 'the entries that are kept');
    expect(ids().slice(3)).toEqual([9, 10, 11, 12, 13]);
    await waitFor(() => delivery.state()?.lost === 5, 'the count');
    expect(delivery.state()?.text).toContain('5 deleted by the retention before they were delivered');
    expect(log).toContain('The retention deleted 5 journal entries before they were delivered.');
    const cursor = JSON.parse(readFileSync(join(folder, 'audit-cursor.json'), 'utf8')) as object;
    expect(cursor).toMatchObject({ through: 13, open: [], lost: 5 });
  });

  it('does not count what was deleted before the first delivery', async () => {
    record(10);
    store.deleteOldest({ before: '', kept: 4, most: 100 });
    const delivery = begin();
    await waitFor(() => ids().length === 4, 'the entries that are kept');
    expect(delivery.state()).toMatchObject({ ok: true, lost: 0 });
  });

  it('counts nothing as lost if the retention deleted all that was delivered, and counts lost outcomes', async () => {
    const job = { kind: 'create', message: 'Creates.', job_id: 1, actor: null } as const;
    record(2);
    journal.record({ ...job, outcome: 'started' });
    const delivery = begin();
    await waitFor(() => ids().length === 3, 'the delivery');
    await delivery.beforeApplicationShutdown();
    store.deleteOldest({ before: '9', kept: 9, most: 9 });
    const second = begin();
    await waitFor(() => second.state()?.lost === 1, 'the lost outcome');
    expect(second.state()?.text).toContain('0 entries wait');
    record(1);
    await waitFor(() => ids().length === 4, 'the new entry');
    expect(second.state()?.lost).toBe(1);
  });

  it('starts again for another database, even a longer one, and for another target', async () => {
    record(3);
    begin();
    await waitFor(() => ids().length === 3, 'the delivery');
    await deliveries[0]?.beforeApplicationShutdown();
    database.close();
    for (const end of ['', '-wal', '-shm']) rmSync(join(folder, `slipway.db${end}`), { force: true });
    await openDatabase();
    record(5);
    begin();
    await waitFor(() => ids().length === 8, 'the other database');
    expect(ids()).toEqual([1, 2, 3, 1, 2, 3, 4, 5]);
    for (const one of deliveries) await one.beforeApplicationShutdown();
    begin('https://other.test/in');
    await waitFor(() => ids().length === 13, 'the other target');
    for (const one of deliveries) await one.beforeApplicationShutdown();
    begin('https://other.test/in');
    record(1);
    await waitFor(() => ids().length > 13, 'the new entry');
    expect(ids().slice(13)).toEqual([6]);
  });
});
