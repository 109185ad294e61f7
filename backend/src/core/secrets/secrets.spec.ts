import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { readConfiguration } from '../config/index.js';
import { redact } from '../logging/index.js';
import { Database, DataDirectory, migrations } from '../storage/index.js';
import { hashPassword, isPassword } from './password-hash.js';
import { SecretBox, UnsealError } from './secret-box.js';
import { Secrets } from './secrets.js';

const KEY = '0123456789abcdef'.repeat(4);
const OTHER_KEY = 'fedcba9876543210'.repeat(4);

describe('a sealed secret', () => {
  const box = new SecretBox(KEY);

  it('opens to what it was, each time under another text', () => {
    const [one, two] = [box.seal('Grüße 🔑', 'webhook:1'), box.seal('Grüße 🔑', 'webhook:1')];
    expect(one).not.toBe(two);
    expect([box.open(one, 'webhook:1'), box.open(two, 'webhook:1')]).toEqual(['Grüße 🔑', 'Grüße 🔑']);
    expect(box.open(box.seal('', 'x'), 'x')).toBe('');
  });

  it('does not open for another purpose, or under another key', () => {
    const sealed = box.seal('secret', 'webhook:1');
    expect(() => box.open(sealed, 'webhook:2')).toThrow(UnsealError);
    expect(() => new SecretBox(OTHER_KEY).open(sealed, 'webhook:1')).toThrow(
      'it was sealed with another ENCRYPTION_KEY',
    );
  });

  it('does not open with any one of its characters changed', () => {
    const sealed = box.seal('a secret of some length', 'webhook:1');
    for (let at = 0; at < sealed.length; at += 1) {
      const changed = sealed.slice(0, at) + (sealed[at] === 'A' ? 'B' : 'A') + sealed.slice(at + 1);
      expect(() => box.open(changed, 'webhook:1')).toThrow(UnsealError);
    }
    for (const cut of ['', 'v1', sealed.slice(0, 20), sealed.slice(0, -1), `${sealed}A`]) {
      expect(() => box.open(cut, 'webhook:1')).toThrow(UnsealError);
    }
  });
});

describe('a hashed password', () => {
  it('is known again, also as another keyboard writes it, and no other is', async () => {
    const hash = await hashPassword('Gr\u00fc\u00dfe');
    expect(hash).toMatch(/^scrypt\$32768\$8\$3\$/);
    expect(await isPassword('Gru\u0308\u00dfe', hash)).toBe(true);
    expect(await isPassword('Grusse', hash)).toBe(false);
    expect(await isPassword('', hash)).toBe(false);
    expect(await hashPassword('Gr\u00fc\u00dfe')).not.toBe(hash);
  });
});

describe('the secrets of an installation', () => {
  let folder: string;
  let database: Database;
  let directory: DataDirectory;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'slipway-secrets-'));
    directory = DataDirectory.open(readConfiguration({ APP_DATA_DIR: folder }));
    database = Database.open(directory.database, migrations);
  });

  afterEach(() => {
    database.close();
    rmSync(folder, { recursive: true, force: true });
  });

  async function open(environment: Record<string, string> = {}): Promise<Secrets> {
    return await Secrets.open(
      readConfiguration({ APP_DATA_DIR: folder, ...environment }),
      directory,
      database,
    );
  }

  it('are made once, for their owner alone, and the password is not among them', async () => {
    const first = await open();
    expect(first.newPassword).toMatch(/^[a-zA-Z2-9]{6}(-[a-zA-Z2-9]{6}){3}$/);
    expect(await isPassword(first.newPassword ?? '', first.passwordHash)).toBe(true);
    const text = readFileSync(directory.secrets, 'utf8');
    expect(text).not.toContain(first.newPassword);
    expect(statSync(directory.secrets).mode & 0o777).toBe(0o600);
    const second = await open();
    expect(second.newPassword).toBeUndefined();
    expect([second.passwordHash, second.generation]).toEqual([first.passwordHash, first.generation]);
    expect(second.signingKey.equals(first.signingKey)).toBe(true);
    expect(readFileSync(directory.secrets, 'utf8')).toBe(text);
  });

  it('are made by one of two starts at once', async () => {
    const [one, two] = await Promise.all([open(), open()]);
    expect([one.newPassword, two.newPassword].filter((password) => password === undefined)).toHaveLength(1);
    expect(one.generation).toBe(two.generation);
  });

  it('masks APP_PASS in every text that leaves the server', async () => {
    await open({ APP_PASS: 'nine-lives-of-a-cat' });
    expect(redact('it printed nine-lives-of-a-cat here')).toBe('it printed [removed] here');
  });

  it('that are given are not kept in the clear', async () => {
    const given = { APP_PASS: 'correct horse battery', SECRET_KEY: KEY, ENCRYPTION_KEY: OTHER_KEY };
    const secrets = await open(given);
    expect(secrets.newPassword).toBeUndefined();
    expect(await isPassword('correct horse battery', secrets.passwordHash)).toBe(true);
    const text = readFileSync(directory.secrets, 'utf8');
    for (const secret of Object.values(given)) expect(text).not.toContain(secret);
  });

  it.each([
    ['password', { APP_PASS: 'another password' }],
    ['user', { APP_USER: 'somebody' }],
    ['signing key', { SECRET_KEY: OTHER_KEY }],
  ])('end every session with another %s, and none without', async (_what, change) => {
    const given = { APP_PASS: 'correct horse battery', SECRET_KEY: KEY };
    const first = await open(given);
    expect((await open(given)).generation).toBe(first.generation);
    expect((await open({ ...given, ...change })).generation).not.toBe(first.generation);
  });

  it('are not opened with another encryption key, and are all sealed anew with the one before at hand', async () => {
    (await open({ ENCRYPTION_KEY: KEY })).sealed.put('webhook:1', 'the secret');
    const before = database.all('SELECT * FROM sealed_secrets');
    await expect(open({ ENCRYPTION_KEY: OTHER_KEY })).rejects.toThrow('ENCRYPTION_KEY is not the key');
    expect(database.all('SELECT * FROM sealed_secrets')).toEqual(before);
    const rotated = await open({ ENCRYPTION_KEY: OTHER_KEY, ENCRYPTION_KEY_PREVIOUS: KEY });
    expect(rotated.sealed.get('webhook:1')).toBe('the secret');
    expect((await open({ ENCRYPTION_KEY: OTHER_KEY })).sealed.get('webhook:1')).toBe('the secret');
    await expect(open({ ENCRYPTION_KEY: KEY })).rejects.toThrow('ENCRYPTION_KEY is not the key');
  });

  it('are sealed anew when a key is given in place of the one that was made', async () => {
    (await open()).sealed.put('webhook:1', 'the secret');
    expect((await open({ ENCRYPTION_KEY: KEY })).sealed.get('webhook:1')).toBe('the secret');
  });

  it('whose key is lost are given up on request alone, and the start goes on', async () => {
    (await open()).sealed.put('webhook:1', 'the secret');
    rmSync(directory.secrets);
    await expect(open()).rejects.toThrow('ENCRYPTION_KEY_PREVIOUS=lost gives the stored secrets up');
    const begun = await open({ ENCRYPTION_KEY_PREVIOUS: 'lost' });
    expect(begun.sealed.get('webhook:1')).toBeUndefined();
    begun.sealed.put('webhook:1', 'another');
    // Said once more by mistake, it costs nothing that can be opened.
    expect((await open({ ENCRYPTION_KEY_PREVIOUS: 'lost' })).sealed.get('webhook:1')).toBe('another');
  });

  it('open with no bit changed of what is stored, and not in part', async () => {
    const { sealed } = await open({ ENCRYPTION_KEY: KEY });
    sealed.put('webhook:1', 'a secret of some length');
    const { sealed: stored } = database.get<{ sealed: string }>(
      "SELECT sealed FROM sealed_secrets WHERE name = 'webhook:1'",
    ) ?? { sealed: '' };
    const head = stored.slice(0, stored.lastIndexOf('.') + 1);
    const body = Buffer.from(stored.slice(head.length), 'base64url');
    // Nonce, text and tag.
    expect(body).toHaveLength(12 + 'a secret of some length'.length + 16);
    for (let bit = 0; bit < body.length * 8; bit += 1) {
      const changed = Buffer.from(body);
      changed.writeUInt8(changed.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
      database.run(
        "UPDATE sealed_secrets SET sealed = ? WHERE name = 'webhook:1'",
        head + changed.toString('base64url'),
      );
      // Its message is one for all, and so holds nothing of the text.
      expect(() => sealed.get('webhook:1')).toThrow(new UnsealError('it was changed'));
    }
  });

  it('that one changed byte has damaged stop the rotation whole', async () => {
    const { sealed } = await open({ ENCRYPTION_KEY: KEY });
    sealed.put('webhook:1', 'one');
    sealed.put('webhook:2', 'two');
    database.run(
      "UPDATE sealed_secrets SET sealed = substr(sealed, 1, length(sealed) - 4) || 'AAAA' WHERE name = 'webhook:2'",
    );
    await expect(open({ ENCRYPTION_KEY: OTHER_KEY, ENCRYPTION_KEY_PREVIOUS: KEY })).rejects.toThrow(
      'A stored secret was changed outside Slipway',
    );
    expect((await open({ ENCRYPTION_KEY: KEY })).sealed.get('webhook:1')).toBe('one');
  });

  it.each([
    '{',
    '[]',
    '{"secret_key":"short"}',
    '{"password":null}',
    '{"password":{"hash":7,"made":true}}',
    '{"password":{"hash":"scrypt$1$8$1$short$x","made":true}}',
  ])('are never made anew over a file that reads %j', async (text) => {
    writeFileSync(directory.secrets, text);
    await expect(open()).rejects.toThrow('is damaged, and it holds the keys');
    expect(readFileSync(directory.secrets, 'utf8')).toBe(text);
  });
});
