import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { readConfiguration } from '../../core/config/index.js';
import { AppLogger } from '../../core/logging/index.js';
import { Database, migrations } from '../../core/storage/index.js';
import { JournalRetention } from './journal-retention.js';
import { JournalService } from './journal.service.js';
import { JournalStore } from './journal.store.js';

describe('JournalRetention', () => {
  let folder: string;
  let database: Database;
  let store: JournalStore;
  const lines: string[] = [];

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'slipway-journal-'));
    database = Database.open(join(folder, 'slipway.db'), migrations);
    store = new JournalStore(database);
  });

  afterEach(() => {
    database.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const retention = (environment: Record<string, string>): JournalRetention => {
    const configuration = readConfiguration(environment);
    const write = (text: string): void => void lines.push(text);
    return new JournalRetention(store, configuration, AppLogger.create(configuration, { write }));
  };
  const written = (count: number, daysAgo = 0): void => {
    const time = new Date(Date.now() - daysAgo * 86_400_000).toISOString();
    const entry = { kind: 'x', outcome: 'succeeded', message: '', actor: null } as const;
    const nothing = { cluster: null, runtime: null, subject: null, job_id: null, duration_ms: null };
    database.transaction(() => {
      for (let number = 0; number < count; number += 1) store.insert({ ...entry, ...nothing, time });
    });
  };
  const left = async (): Promise<number> => (await new JournalService(store).recent({}, 1, 0)).total;

  it('deletes only entries that are older than APP_JOURNAL_DAYS', async () => {
    written(2500, 31);
    written(3, 29);
    await retention({ APP_JOURNAL_DAYS: '30' }).run();
    expect(await left()).toBe(3);
  });

  it('deletes the oldest entries beyond APP_JOURNAL_ENTRIES', async () => {
    written(12_345);
    await retention({ APP_JOURNAL_ENTRIES: '10000' }).run();
    expect(await left()).toBe(10_000);
    expect(store.ids()).toEqual({ first: 2346, last: 12_345 });
  });

  it('keeps a day of changes at the request limit, and a year, by default', async () => {
    written(120 * 60 * 24);
    written(1, 364);
    await retention({}).run();
    expect(await left()).toBe(120 * 60 * 24 + 1);
  });

  it('protects entries that retention has not reached', async () => {
    written(10_010);
    await retention({ APP_JOURNAL_ENTRIES: '10000' }).run();
    expect(() => database.run('DELETE FROM journal WHERE id = 11')).toThrow('only retention');
  });
});
