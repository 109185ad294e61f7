import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { temporaryFolder } from '../../../../test/support/server/server-process.js';
import { readServerFile, writeServerFile, type ServerFile } from './server-file.js';

const SERVER: ServerFile = {
  url: 'http://x',
  page: 'http://x',
  token: 't',
  pid: process.pid,
  version: '1.0.0',
};

describe('readServerFile', () => {
  let folder: string;
  let remove: () => Promise<void>;
  const read = (isAlone = false): ServerFile | undefined => readServerFile(folder, 'dashboard', isAlone);

  beforeEach(async () => {
    ({ path: folder, remove } = await temporaryFolder());
    chmodSync(folder, 0o700);
    await writeServerFile(folder, 'dashboard', SERVER);
  });

  afterEach(async () => {
    jest.restoreAllMocks();
    await remove();
  });

  it('reads a private file of the same user in a private folder', () => {
    expect(read()).toEqual(SERVER);
    expect(readServerFile(folder, 'log-board')).toBeUndefined();
  });

  it.each([
    ['file', 'dashboard.json', 0o640],
    ['file', 'dashboard.json', 0o602],
    ['folder', '', 0o702],
    ['folder', '', 0o770],
  ])('rejects a %s to which others have access', (_, name, mode) => {
    chmodSync(join(folder, name), mode);
    expect(() => read()).toThrow(`Could not use ${join(folder, name)}. Other users have access to it.`);
  });

  it('reads a private file in a folder that others can only read', () => {
    chmodSync(folder, 0o755);
    expect(read()).toEqual(SERVER);
  });

  it('reads a file of any mode in a container, if it belongs to the same user', () => {
    chmodSync(folder, 0o777);
    chmodSync(join(folder, 'dashboard.json'), 0o777);
    expect(() => read()).toThrow('keeps no permissions');
    expect(read(true)).toEqual(SERVER);
    jest.spyOn(process, 'geteuid').mockReturnValue((process.geteuid?.() ?? 0) + 1);
    expect(() => read(true)).toThrow('It belongs to another user');
  });

  it('returns undefined for the file of a process that has ended, whatever its mode', async () => {
    const { pid } = spawnSync('true');
    await writeServerFile(folder, 'dashboard', { ...SERVER, pid });
    chmodSync(join(folder, 'dashboard.json'), 0o644);
    expect(read()).toBeUndefined();
  });

  it('does not wait for a pipe', () => {
    rmSync(join(folder, 'dashboard.json'));
    execFileSync('mkfifo', ['-m', '644', join(folder, 'dashboard.json')]);
    expect(read()).toBeUndefined();
  });

  it('rejects the file of another user, unless the reader is root', () => {
    const uid = process.geteuid?.() ?? 0;
    jest.spyOn(process, 'geteuid').mockReturnValue(0);
    expect(read()).toEqual(SERVER);
    jest.spyOn(process, 'geteuid').mockReturnValue(uid + 1);
    expect(() => read()).toThrow(`It belongs to another user (${uid}).`);
  });
});
