import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { JournalService, NewJournalEntry } from '../journal/index.js';
import { SignInJournal } from './sign-in-journal.js';

describe('failed sign-ins', () => {
  const entries: NewJournalEntry[] = [];
  let journal: SignInJournal;

  beforeEach(() => {
    jest.useFakeTimers();
    entries.length = 0;
    journal = new SignInJournal({
      record: (entry: NewJournalEntry) => void entries.push(entry),
    } as unknown as JournalService);
  });

  afterEach(() => void jest.useRealTimers());

  const messages = (): string[] => entries.map(({ message }) => message);

  it('have an entry for the first of an address, and one for all others within ten minutes', () => {
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

  it('are told at the end of the server', () => {
    journal.failed('192.0.2.1');
    journal.failed('192.0.2.1');
    journal.onModuleDestroy();
    expect(messages()).toEqual([
      'A sign-in from 192.0.2.1 failed.',
      '1 more sign-in from 192.0.2.1 failed within 10 minutes.',
    ]);
  });
});
