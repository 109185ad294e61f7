import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Database, migrations } from '../../core/storage/index.js';
import { JournalService, JournalStore, type NewJournalEntry } from '../journal/index.js';
import { SignInJournal } from './sign-in-journal.js';

describe('SignInJournal', () => {
  const entries: NewJournalEntry[] = [];
  let journal: SignInJournal;

  beforeEach(() => {
    jest.useFakeTimers();
    entries.length = 0;
    const record = (entry: NewJournalEntry): void => void entries.push(entry);
    journal = new SignInJournal({ record, recordEventually: record } as unknown as JournalService);
  });

  afterEach(() => void jest.useRealTimers());

  const messages = (): string[] => entries.map(({ message }) => message);

  it('records the first failed sign-in of an address, and one entry for the others within 10 minutes', () => {
    for (let index = 0; index < 5; index += 1) journal.failed('192.0.2.1');
    journal.failed('192.0.2.2');
    expect(messages()).toEqual(['A sign-in from 192.0.2.1 failed.', 'A sign-in from 192.0.2.2 failed.']);
    jest.advanceTimersByTime(10 * 60_000);
    expect(messages().slice(2)).toEqual(['4 more sign-ins from 192.0.2.1 failed within 10 minutes.']);
    journal.failed('192.0.2.1');
    expect(messages()).toHaveLength(4);
    expect(entries.every(({ outcome, kind }) => outcome === 'failed' && kind === 'session-sign-in')).toBe(
      true,
    );
    expect(entries[0]?.actor).toEqual({
      kind: 'anonymous',
      user: 'anonymous',
      id: null,
      address: '192.0.2.1',
    });
  });

  it('records pending failed sign-ins on shutdown', () => {
    journal.failed('192.0.2.1');
    journal.failed('192.0.2.1');
    journal.onModuleDestroy();
    expect(messages()).toEqual([
      'A sign-in from 192.0.2.1 failed.',
      '1 more sign-in from 192.0.2.1 failed within 10 minutes.',
    ]);
  });

  it('groups failed sign-ins from many addresses, so that an attack writes at most 21 entries in 10 minutes', () => {
    for (let index = 0; index < 3000; index += 1) {
      const address = `10.0.${Math.floor(index / 250)}.${index % 250}`;
      journal.failed(address);
      journal.failed(address);
    }
    expect(entries).toHaveLength(10);
    jest.advanceTimersByTime(10 * 60_000);
    expect(entries).toHaveLength(21);
    const shared = entries.filter(({ actor }) => actor?.address === null);
    expect(shared.map(({ message }) => message)).toEqual([
      expect.stringMatching(
        /^5980 sign-ins from at least 1000 other addresses failed within 10 minutes: 10\.0\.0\.10, .*, …$/,
      ),
    ]);
    expect(shared[0]?.message.length).toBeLessThan(500);
  });

  it('lists the addresses of a grouped entry if they are few', () => {
    for (let index = 1; index <= 12; index += 1) journal.failed(`192.0.2.${index}`);
    journal.failed('192.0.2.12');
    journal.onModuleDestroy();
    expect(messages().slice(10)).toEqual([
      '3 sign-ins from 2 other addresses failed within 10 minutes: 192.0.2.11, 192.0.2.12.',
    ]);
  });

  it('keeps what a timer records while another program locks the database, also on shutdown', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'slipway-sign-in-'));
    const [database, other] = [1, 2].map(() => Database.open(join(folder, 'slipway.db'), migrations)) as [
      Database,
      Database,
    ];
    const service = new JournalService(new JournalStore(database));
    journal = new SignInJournal(service);
    for (let count = 0; count < 3; count += 1) journal.failed('192.0.2.1');
    jest.advanceTimersByTime(10 * 60_000 - 1);
    other.transaction(() => {
      jest.advanceTimersByTime(1);
      journal.failed('192.0.2.1');
      journal.failed('192.0.2.1');
      journal.onModuleDestroy();
    });
    service.onApplicationShutdown();
    jest.useRealTimers();
    const { entries: recorded } = await service.recent({}, 30, 0);
    expect(recorded.map(({ message }) => message)).toEqual([
      '1 more sign-in from 192.0.2.1 failed within 10 minutes.',
      'A sign-in from 192.0.2.1 failed.',
      '2 more sign-ins from 192.0.2.1 failed within 10 minutes.',
      'A sign-in from 192.0.2.1 failed.',
    ]);
    other.close();
    database.close();
    rmSync(folder, { recursive: true });
  });
});
