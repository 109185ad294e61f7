import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { beLater } from '../../../../../test/support/clock.js';
import { redact } from '../../../core/logging/index.js';
import type { Secrets } from '../../../core/secrets/index.js';
import { Database, migrations } from '../../../core/storage/index.js';
import type { JournalService, NewJournalEntry } from '../../journal/index.js';
import { ACCESS_TOKEN } from './access-token.js';
import { AccessTokenStore } from './access-token.store.js';
import { AccessTokensService, MAX_ACCESS_TOKENS } from './access-tokens.service.js';

const HOUR = 3600;

describe('AccessTokensService', () => {
  let folder: string;
  let database: Database;
  let entries: NewJournalEntry[];
  let tokens: AccessTokensService;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'slipway-access-tokens-'));
    database = Database.open(join(folder, 'slipway.db'), migrations);
    entries = [];
    tokens = serviceOf('first password');
  });

  afterEach(() => {
    jest.useRealTimers();
    database.close();
    rmSync(folder, { recursive: true, force: true });
  });

  function serviceOf(generation: string): AccessTokensService {
    const record = (entry: NewJournalEntry): void => void entries.push(entry);
    const journal = { record, recordEventually: record } as JournalService;
    return new AccessTokensService(new AccessTokenStore(database), { generation } as Secrets, journal);
  }

  function create(name = 'ci', service = tokens): ReturnType<AccessTokensService['create']> {
    const expires_at = new Date(Date.now() + HOUR * 1000).toISOString();
    return service.create({ name, scope: 'read', created_by: 'admin', expires_at });
  }

  it('finds a token by its value, of which only a hash is stored', () => {
    const { record, token } = create();
    expect(token).toMatch(ACCESS_TOKEN);
    expect(tokens.ofToken(token)).toMatchObject({ id: record.id, name: 'ci', scope: 'read' });
    expect(JSON.stringify(database.all('SELECT * FROM access_tokens'))).not.toContain(token);
    expect(JSON.stringify([tokens.list(), entries])).not.toContain(token);
    expect(() => tokens.ofToken(`${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`)).toThrow(
      'Unauthorized',
    );
  });

  it('rejects a token that has expired or was revoked', () => {
    const [first, second] = [create('first'), create('second')];
    tokens.revoke(first.record.id);
    expect(() => tokens.ofToken(first.token)).toThrow('Unauthorized');
    expect(() => tokens.revoke(first.record.id)).toThrow('does not exist');
    beLater(HOUR + 1);
    expect(() => tokens.ofToken(second.token)).toThrow('Unauthorized');
    expect(tokens.list()).toEqual([]);
    expect(entries.map(({ kind, subject }) => [kind, subject])).toEqual([
      ['token-create', 'first'],
      ['token-create', 'second'],
      ['token-revoke', 'first'],
    ]);
  });

  it('rejects the name of an active token, and allows it once that token is revoked or expired', () => {
    const { record } = create('ci');
    expect(() => create('ci')).toThrow('already exists');
    tokens.revoke(record.id);
    create('ci');
    beLater(HOUR + 1);
    expect(() => create('ci')).not.toThrow();
  });

  it('records the expiry in the journal to the second', () => {
    create();
    expect(entries[0]?.message).toMatch(/It expires at \S+T\d\d:\d\d:\d\dZ\.$/);
  });

  it('rejects every token after a new password', () => {
    const { record, token } = create();
    const later = serviceOf('second password');
    expect(() => later.ofToken(token)).toThrow('Unauthorized');
    expect([later.find(record.id), later.list()]).toEqual([undefined, []]);
  });

  it('updates last_used_at once a minute', () => {
    const { record, token } = create();
    const lastUse = (): string | null | undefined => tokens.find(record.id)?.last_used_at;
    expect(lastUse()).toBeNull();
    tokens.ofToken(token);
    const first = lastUse();
    expect(first).toEqual(expect.any(String));
    beLater(30);
    tokens.ofToken(token);
    expect(lastUse()).toBe(first);
    beLater(40);
    tokens.ofToken(token);
    expect(lastUse()).not.toBe(first);
  });

  it('creates at most 100 tokens, not counting expired ones', () => {
    for (let count = 0; count < MAX_ACCESS_TOKENS; count += 1) create(`ci-${count}`);
    expect(() => create()).toThrow('100 access tokens already');
    expect(tokens.list()).toHaveLength(100);
    beLater(HOUR + 1);
    expect(() => create()).not.toThrow();
  });

  it('issues tokens that redaction recognizes', () => {
    const { token } = create();
    expect(redact(`curl -H "X-Key: ${token}" x`)).toBe('curl -H "X-Key: [token removed]" x');
  });
});
