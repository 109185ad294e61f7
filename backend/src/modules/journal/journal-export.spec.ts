import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Database, migrations } from '../../core/storage/index.js';
import { csvRow } from './journal-csv.js';
import { JournalExport, lastLine } from './journal-export.js';
import type { JournalEntry, NewJournalEntry } from './journal-entry.js';
import { JournalService } from './journal.service.js';
import { JournalStore } from './journal.store.js';

/** More than two batches. */
const ENTRIES = 1234;

const ENTRY: JournalEntry = {
  id: 7,
  time: '2026-11-21T09:26:44.102Z',
  kind: 'create',
  cluster: 'staging',
  runtime: 'docker',
  subject: null,
  outcome: 'succeeded',
  message: 'Created.',
  job_id: 12,
  duration_ms: 34_120,
  actor: { kind: 'token', user: 'ada', id: 't-1', name: 'ci', address: '10.0.0.7' },
};

describe('JournalExport', () => {
  let folder: string;
  let database: Database;
  let store: JournalStore;
  let journal: JournalService;
  let exports: JournalExport;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'slipway-journal-'));
    database = Database.open(join(folder, 'slipway.db'), migrations);
    store = new JournalStore(database);
    journal = new JournalService(store);
    exports = new JournalExport(store, journal);
  });

  afterEach(() => {
    database.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const record = (more: Partial<NewJournalEntry>): void =>
    journal.record({ kind: 'create', outcome: 'succeeded', message: '', ...more });
  const fill = (): void =>
    database.transaction(() => {
      for (let number = 1; number <= ENTRIES; number += 1) {
        record({ message: `entry ${number}`, kind: number % 1000 === 0 ? 'rare' : 'create' });
      }
    });
  const parse = (pieces: readonly string[]): JournalEntry[] =>
    pieces
      .join('')
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as JournalEntry);
  const wanted = (): AbortSignal => new AbortController().signal;

  it('writes the entries that exist at the start once each, in order', async () => {
    fill();
    journal.record({ kind: 'stop', outcome: 'started', message: 'started', job_id: 7 });
    const pieces: string[] = [];
    for await (const piece of exports.start({}, 'ndjson', wanted())) {
      if (pieces.length === 0) {
        record({ message: 'too late' });
        journal.complete(7, { kind: 'stop', outcome: 'succeeded', message: 'ended' }).announce();
      }
      pieces.push(piece);
    }
    expect(pieces.length).toBeGreaterThan(2);
    expect(parse(pieces).map(({ message }) => message)).toEqual([
      ...Array.from({ length: ENTRIES }, (_, index) => `entry ${index + 1}`),
      'ended',
    ]);
  });

  it('writes entries that match the filter, and records the export with the filter', async () => {
    fill();
    const pieces: string[] = [];
    const filter = { kind: 'rare', text: 'entry' };
    for await (const piece of exports.start(filter, 'ndjson', wanted())) pieces.push(piece);
    expect(parse(pieces).map(({ message }) => message)).toEqual(['entry 1000']);
    expect((await journal.recent({ kind: 'journal-export' }, 1, 0)).entries).toMatchObject([
      { message: 'Exported the journal as NDJSON, filtered by kind rare, text entry.' },
    ]);
  });

  it('stops reading after the client has disconnected', async () => {
    fill();
    const gone = new AbortController();
    const pieces: string[] = [];
    for await (const piece of exports.start({}, 'ndjson', gone.signal)) {
      pieces.push(piece);
      gone.abort();
    }
    expect(pieces).toHaveLength(1);
  });

  it('writes only a header row for an empty CSV export, and nothing for NDJSON', async () => {
    const pieces: string[] = [];
    for await (const piece of exports.start({ kind: 'rare' }, 'csv', wanted())) pieces.push(piece);
    expect(pieces).toEqual([
      'id,time,kind,cluster,runtime,subject,outcome,message,job_id,duration_ms,actor_kind,actor_user,actor_id,actor_name,actor_address\r\n',
    ]);
    for await (const piece of exports.start({ kind: 'rare' }, 'ndjson', wanted())) pieces.push(piece);
    expect(pieces).toHaveLength(1);
  });

  it('fails if the export cannot be recorded', () => {
    database.run("CREATE TRIGGER full BEFORE INSERT ON journal BEGIN SELECT RAISE(ABORT, 'full'); END");
    expect(() => exports.start({}, 'csv', wanted())).toThrow('full');
  });

  it('formats the failure as a line of NDJSON or CSV', () => {
    const failure = { code: 'internal', message: 'The disk, it broke.' };
    expect(lastLine(failure, 'ndjson')).toBe(`${JSON.stringify({ error: failure })}\n`);
    expect(lastLine(failure, 'csv')).toBe(
      ',,,,,,,"[Slipway] The export is incomplete. The disk, it broke.",,,,,,,\r\n',
    );
  });
});

describe('csvRow', () => {
  it('contains every field, and an empty cell for null', () => {
    expect(csvRow(ENTRY)).toBe(
      '7,2026-11-21T09:26:44.102Z,create,staging,docker,,succeeded,Created.,12,34120,token,ada,t-1,ci,10.0.0.7\r\n',
    );
    expect(csvRow({ ...ENTRY, cluster: null, job_id: null, duration_ms: null, actor: null })).toBe(
      '7,2026-11-21T09:26:44.102Z,create,,docker,,succeeded,Created.,,,,,,,\r\n',
    );
  });

  it.each([
    ['a,b', '"a,b"'],
    ['say "hi"', '"say ""hi"""'],
    ['two\nlines', '"two\nlines"'],
    ['=1+1', "'=1+1"],
    ['+1', "'+1"],
    ['-1', "'-1"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['\t=1', "'\t=1"],
    ['\r=1', '"\'\r=1"'],
    ['=HYPERLINK("http://x","y")', '"\'=HYPERLINK(""http://x"",""y"")"'],
    ['1=1', '1=1'],
  ])('writes %j as %j', (message, cell) => {
    expect(csvRow({ ...ENTRY, message })).toContain(`,succeeded,${cell},12,`);
  });
});
