import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Database, migrations } from '../../core/storage/index.js';
import type { JournalEntry, NewJournalEntry } from './journal-entry.js';
import { JournalService } from './journal.service.js';
import { JOURNAL_LIMIT, JournalStore } from './journal.store.js';

const entry = (more: Partial<NewJournalEntry> = {}): NewJournalEntry => ({
  kind: 'create',
  cluster: 'c',
  runtime: 'docker',
  subject: null,
  outcome: 'started',
  message: 'It begins.',
  job_id: null,
  duration_ms: null,
  ...more,
});

describe('the journal', () => {
  let folder: string;
  let database: Database;
  let journal: JournalService;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'slipway-journal-'));
    database = Database.open(join(folder, 'slipway.db'), migrations);
    journal = new JournalService(new JournalStore(database));
  });

  afterEach(() => {
    database.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it('completes the entry that a job began, and announces it after the commit', () => {
    const told: JournalEntry[] = [];
    journal.changes.subscribe((change) => told.push(change));
    journal.record(entry({ job_id: 7 }));
    const completed = database.transaction(() =>
      journal.complete(7, entry({ job_id: 7, outcome: 'succeeded', message: 'Done.', duration_ms: 5 })),
    );
    expect(told).toHaveLength(1);
    completed.announce();
    expect(told[1]).toMatchObject({
      id: told[0]?.id,
      outcome: 'succeeded',
      message: 'Done.',
      duration_ms: 5,
    });
    expect(journal.recent({}, 30, 0)).toMatchObject({ total: 1, entries: [{ outcome: 'succeeded' }] });
  });

  it('tells clusters of one name in two engines apart, and leaves no older entry out', () => {
    for (const runtime of ['docker', 'podman', null]) {
      journal.record(entry({ runtime, message: String(runtime) }));
    }
    const found = (runtime?: string): string[] =>
      journal
        .recent({ cluster: 'c', ...(runtime && { runtime }) }, 30, 0)
        .entries.map(({ message }) => message);
    expect(found('docker').sort()).toEqual(['docker', 'null']);
    expect(found('podman').sort()).toEqual(['null', 'podman']);
    expect(found()).toHaveLength(3);
  });

  it('writes the end of a job whose beginning is gone', () => {
    journal.complete(7, entry({ job_id: 7, outcome: 'interrupted' })).announce();
    expect(journal.recent({}, 30, 0).total).toBe(1);
  });

  it('tells an empty journal as no page at all', () => {
    expect(journal.recent({}, 30, 0)).toEqual({
      entries: [],
      total: 0,
      page: 1,
      total_pages: 0,
      limit: 30,
      offset: 0,
    });
  });

  it('masks what looks like a secret, and bounds a message', () => {
    journal.record(entry({ message: `password=hunter2 ${'x'.repeat(5000)}` }));
    const [first] = journal.recent({}, 1, 0).entries;
    expect(first?.message).toContain('password=[removed]');
    expect(first?.message).toHaveLength(2000);
  });

  it('finds text as it is, whatever it means to SQL', () => {
    for (const message of ['100% done', 'a_b', "it's", 'back\\slash']) journal.record(entry({ message }));
    const found = (text: string): number => journal.recent({ text }, 30, 0).total;
    expect([found('%'), found('_'), found("'"), found('\\'), found('DONE'), found("' OR 1=1 --")]).toEqual([
      1, 1, 1, 1, 1, 0,
    ]);
  });

  it('finds the kinds of one family together', () => {
    for (const kind of ['addon-install', 'addon-upgrade', 'addons', 'add', 'create']) {
      journal.record(entry({ kind }));
    }
    const found = (kind: string): string[] =>
      journal
        .recent({ kind }, 30, 0)
        .entries.map((each) => each.kind)
        .sort();
    expect(found('addon')).toEqual(['addon-install', 'addon-upgrade']);
    expect(found('addon-install')).toEqual(['addon-install']);
    expect(found('create')).toEqual(['create']);
  });

  it('keeps its newest entries, and drops the oldest beyond its bound', () => {
    database.transaction(() => {
      for (let number = 0; number < JOURNAL_LIMIT + 500; number += 1) journal.record(entry());
    });
    const { total } = journal.recent({}, 1, 0);
    expect(total).toBeGreaterThanOrEqual(JOURNAL_LIMIT);
    expect(total).toBeLessThan(JOURNAL_LIMIT + 100);
  });
});
