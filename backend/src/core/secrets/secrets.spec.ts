import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { readConfiguration } from '../config/index.js';
import { redact } from '../logging/index.js';
import { Database, DataDirectory, migrations } from '../storage/index.js';
import { hashPassword, isPassword } from './password-hash.js';
import { SecretBox, UnsealError } from './secret-box.js';
import { SecretsFile } from './secrets-file.js';
import { Secrets } from './secrets.js';

const KEY = '0123456789abcdef'.repeat(4);
const OTHER_KEY = 'fedcba9876543210'.repeat(4);

describe('SecretBox', () => {
  const box = new SecretBox(KEY);

  it('seals a secret to a different text each time, and opens it', () => {
    const [one, two] = [box.seal('Grüße 🔑', 'webhook:1'), box.seal('Grüße 🔑', 'webhook:1')];
    expect(one).not.toBe(two);
    expect([box.open(one, 'webhook:1'), box.open(two, 'webhook:1')]).toEqual(['Grüße 🔑', 'Grüße 🔑']);
    expect(box.open(box.seal('', 'x'), 'x')).toBe('');
  });

  it('does not open a text for another purpose or with another key', () => {
    const sealed = box.seal('secret', 'webhook:1');
    expect(() => box.open(sealed, 'webhook:2')).toThrow(UnsealError);
    expect(() => new SecretBox(OTHER_KEY).open(sealed, 'webhook:1')).toThrow(
      'it was sealed with another ENCRYPTION_KEY',
    );
  });

  it('does not open a text with any character changed', () => {
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

describe('hashPassword', () => {
  it('matches only the same password, in any Unicode normalization', async () => {
    const hash = await hashPassword('Gr\u00fc\u00dfe');
    expect(hash).toMatch(/^scrypt\$32768\$8\$3\$/);
    expect(await isPassword('Gru\u0308\u00dfe', hash)).toBe(true);
    expect(await isPassword('Grusse', hash)).toBe(false);
    expect(await isPassword('', hash)).toBe(false);
    expect(await hashPassword('Gr\u00fc\u00dfe')).not.toBe(hash);
  });
});

describe('Secrets', () => {
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

  async function open(environment: Record<string, string> = {}, takesViewer = true): Promise<Secrets> {
    const configuration = readConfiguration({ APP_DATA_DIR: folder, ...environment });
    return await Secrets.open(configuration, directory, database, { takesViewer });
  }

  it('creates secrets.json once, with mode 0600 and without the password', async () => {
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

  it('lets only one of two concurrent starts create the secrets', async () => {
    const [one, two] = await Promise.all([open(), open()]);
    expect([one.newPassword, two.newPassword].filter((password) => password === undefined)).toHaveLength(1);
    expect(one.generation).toBe(two.generation);
  });

  it('rejects secrets.json of a newer version without changing it', async () => {
    const text = '{"format":2,"keys":[]}';
    writeFileSync(directory.secrets, text);
    await expect(open()).rejects.toThrow(
      /^A newer version of Slipway wrote .*secrets\.json \(format 2\)\. Slipway [\d.]+ supports format 1 /,
    );
    expect(readFileSync(directory.secrets, 'utf8')).toBe(text);
  });

  it('masks APP_PASS in all output', async () => {
    await open({ APP_PASS: 'nine-lives-of-a-cat' });
    expect(redact('it printed nine-lives-of-a-cat here')).toBe('it printed [removed] here');
  });

  it('does not store given secrets as plain text', async () => {
    const given = { APP_PASS: 'correct horse battery', SECRET_KEY: KEY, ENCRYPTION_KEY: OTHER_KEY };
    const secrets = await open(given);
    expect(secrets.newPassword).toBeUndefined();
    expect(await isPassword('correct horse battery', secrets.passwordHash)).toBe(true);
    const text = readFileSync(directory.secrets, 'utf8');
    for (const secret of Object.values(given)) expect(text).not.toContain(secret);
  });

  it.each([
    ['password', { APP_PASS: 'another password' }],
    ['user', { APP_USER: 'another' }],
    ['signing key', { SECRET_KEY: OTHER_KEY }],
  ])('end every session with another %s, and none without', async (_what, change) => {
    const given = { APP_PASS: 'correct horse battery', SECRET_KEY: KEY };
    const first = await open(given);
    expect((await open(given)).generation).toBe(first.generation);
    expect((await open({ ...given, ...change })).generation).not.toBe(first.generation);
  });

  it('ends every session after a restore, also if the environment sets all secrets', async () => {
    const given = { APP_PASS: 'correct horse battery', SECRET_KEY: KEY };
    const first = await open(given);
    await new SecretsFile(directory.secrets).change((kept) =>
      Promise.resolve({ ...kept, access_epoch: OTHER_KEY }),
    );
    const second = await open(given);
    expect(second.generation).not.toBe(first.generation);
    expect((await open(given)).generation).toBe(second.generation);
  });

  it('takes APP_VIEWER_PASS once, so that a start does not undo a change on the page', async () => {
    const given = { APP_PASS: 'correct horse battery', APP_VIEWER_PASS: 'only for looking' };
    const first = await open(given);
    expect(first.viewerChange).toBe('APP_VIEWER_PASS sets another');
    const { hash } = first.viewer;
    expect(await isPassword('only for looking', hash ?? '')).toBe(true);
    const second = await open(given);
    expect([second.viewerChange, second.viewer.hash]).toEqual([undefined, hash]);
    // Processes other than the dashboard may run without the variable.
    expect((await open({ APP_PASS: given.APP_PASS }, false)).viewer.hash).toBe(hash);
    second.viewer.remove();
    expect((await open({ APP_PASS: given.APP_PASS })).viewerChange).toBeUndefined();
    expect((await open(given)).viewer.hash).toBeUndefined();
    const third = await open({ ...given, APP_VIEWER_PASS: 'a new one for looking' });
    expect(await isPassword('a new one for looking', third.viewer.hash ?? '')).toBe(true);
    const { APP_PASS } = given;
    expect((await open({ APP_PASS })).viewer.hash).toBeUndefined();
    await third.viewer.change('chosen on the page');
    expect((await open({ APP_PASS })).viewerChange).toBeUndefined();
    expect(await isPassword('chosen on the page', third.viewer.hash ?? '')).toBe(true);
    await expect(open({ APP_PASS: 'chosen on the page' })).rejects.toThrow(
      'APP_PASS must differ from the read-only password.',
    );
  });

  it('masks the read-only password until it is replaced or removed', async () => {
    const { viewer } = await open();
    const masked = (): string[] =>
      ['first for looking', 'second for looking'].filter((password) => redact(password) === '[removed]');
    await viewer.change('first for looking');
    await viewer.change('first for looking');
    expect(masked()).toEqual(['first for looking']);
    const first = viewer.hash;
    jest.spyOn(database, 'run').mockImplementationOnce(() => {
      throw new Error('the disk is full');
    });
    await expect(viewer.change('second for looking')).rejects.toThrow('the disk is full');
    expect([viewer.hash, masked()]).toEqual([first, ['first for looking']]);
    await viewer.change('second for looking');
    expect(masked()).toEqual(['second for looking']);
    jest.spyOn(database, 'run').mockImplementationOnce(() => {
      throw new Error('the disk is full');
    });
    expect(() => viewer.remove()).toThrow('the disk is full');
    expect(masked()).toEqual(['second for looking']);
    viewer.remove();
    expect(masked()).toEqual([]);
  });

  it('rejects an APP_VIEWER_PASS that is also the password, without showing it', async () => {
    const both = { APP_PASS: 'correct horse battery', APP_VIEWER_PASS: 'correct horse battery' };
    await expect(open(both)).rejects.toThrow(
      /^APP_VIEWER_PASS must differ from the password of the user\. Choose another one\.$/,
    );
  });

  it('rejects another ENCRYPTION_KEY, and re-encrypts all secrets with ENCRYPTION_KEY_PREVIOUS', async () => {
    (await open({ ENCRYPTION_KEY: KEY })).sealed.put('webhook:1', 'the secret');
    const before = database.all('SELECT * FROM sealed_secrets');
    await expect(open({ ENCRYPTION_KEY: OTHER_KEY })).rejects.toThrow('ENCRYPTION_KEY does not open');
    expect(database.all('SELECT * FROM sealed_secrets')).toEqual(before);
    const rotated = await open({ ENCRYPTION_KEY: OTHER_KEY, ENCRYPTION_KEY_PREVIOUS: KEY });
    expect(rotated.sealed.get('webhook:1')).toBe('the secret');
    expect((await open({ ENCRYPTION_KEY: OTHER_KEY })).sealed.get('webhook:1')).toBe('the secret');
    await expect(open({ ENCRYPTION_KEY: KEY })).rejects.toThrow('ENCRYPTION_KEY does not open');
  });

  it('re-encrypts the secrets when ENCRYPTION_KEY replaces the generated key', async () => {
    (await open()).sealed.put('webhook:1', 'the secret');
    expect((await open({ ENCRYPTION_KEY: KEY })).sealed.get('webhook:1')).toBe('the secret');
  });

  it('discards secrets with a lost key only on ENCRYPTION_KEY_PREVIOUS=lost', async () => {
    (await open()).sealed.put('webhook:1', 'the secret');
    rmSync(directory.secrets);
    await expect(open()).rejects.toThrow('ENCRYPTION_KEY_PREVIOUS=lost discards the stored secrets');
    const reset = await open({ ENCRYPTION_KEY_PREVIOUS: 'lost' });
    expect(reset.sealed.get('webhook:1')).toBeUndefined();
    reset.sealed.put('webhook:1', 'another');
    // A second time, it keeps secrets that can be opened.
    expect((await open({ ENCRYPTION_KEY_PREVIOUS: 'lost' })).sealed.get('webhook:1')).toBe('another');
  });

  it('rejects a stored secret with any bit changed, and reveals no part of it', async () => {
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
      // The same message for all, so it cannot contain any of the text.
      expect(() => sealed.get('webhook:1')).toThrow(new UnsealError('it was changed'));
    }
  });

  it('cancels the re-encryption if one secret is damaged', async () => {
    const { sealed } = await open({ ENCRYPTION_KEY: KEY });
    sealed.put('webhook:1', 'one');
    sealed.put('webhook:2', 'two');
    database.run(
      "UPDATE sealed_secrets SET sealed = substr(sealed, 1, length(sealed) - 4) || 'AAAA' WHERE name = 'webhook:2'",
    );
    await expect(open({ ENCRYPTION_KEY: OTHER_KEY, ENCRYPTION_KEY_PREVIOUS: KEY })).rejects.toThrow(
      'Could not re-encrypt the stored secrets',
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
  ])('does not replace a secrets.json with the content %j', async (text) => {
    writeFileSync(directory.secrets, text);
    await expect(open()).rejects.toThrow('is damaged. It contains the keys');
    expect(readFileSync(directory.secrets, 'utf8')).toBe(text);
  });
});
