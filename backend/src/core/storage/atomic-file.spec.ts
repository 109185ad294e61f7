import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync, chmodSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { writeFileAtomically, writeFilesAtomically } from './atomic-file.js';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'storage-'));
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('writeFileAtomically', () => {
  it('replaces the content and the mode, and leaves no temporary file', async () => {
    const path = join(folder, 'deep', 'file.yaml');
    await writeFileAtomically(path, 'one');
    chmodSync(path, 0o644);
    await writeFileAtomically(path, 'two');
    expect(readFileSync(path, 'utf8')).toBe('two');
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(readdirSync(join(folder, 'deep'))).toEqual(['file.yaml']);
  });

  it('keeps the old content and leaves no temporary file on failure', async () => {
    const path = join(folder, 'target');
    // The target is a folder, so the rename fails after everything is written.
    await mkdir(join(path, 'inside'), { recursive: true });
    await expect(writeFileAtomically(path, 'new')).rejects.toThrow();
    expect(readdirSync(folder)).toEqual(['target']);
  });

  it('changes several files or none', async () => {
    const [one, other] = [join(folder, 'one'), join(folder, 'other')];
    const change = [
      { path: one, content: 'new' },
      { path: other, content: 'new' },
    ];
    writeFileSync(one, 'old');
    const refuse = (): never => {
      throw new Error('not now');
    };
    await expect(writeFilesAtomically(folder, change, { confirm: refuse })).rejects.toThrow('not now');
    // The second file cannot be written, so the first is not changed either.
    const unwritable = [...change, { path: other, content: 7 as unknown as string }];
    await expect(writeFilesAtomically(folder, unwritable)).rejects.toThrow();
    expect(readFileSync(one, 'utf8')).toBe('old');
    expect(readdirSync(folder)).toEqual(['one']);
    await writeFilesAtomically(folder, change);
    expect([one, other].map((path) => readFileSync(path, 'utf8'))).toEqual(['new', 'new']);
  });

  it('keeps the old content when the process is killed between write and rename', () => {
    const path = join(folder, 'file.yaml');
    writeFileSync(path, 'old');
    // The same steps up to the rename, then SIGKILL.
    const script = `
      const fs = require('node:fs');
      fs.renameSync = () => process.kill(process.pid, 'SIGKILL');
      require('node:module').syncBuiltinESMExports();
      import(${JSON.stringify(sourceOf())}).then((m) => m.writeFileAtomically(${JSON.stringify(path)}, 'new'));
    `;
    const { signal } = spawnSync(process.execPath, ['--disable-warning=ExperimentalWarning', '-e', script], {
      encoding: 'utf8',
    });
    expect(signal).toBe('SIGKILL');
    expect(readFileSync(path, 'utf8')).toBe('old');
    expect(readdirSync(folder).some((name) => name.endsWith('.tmp'))).toBe(true);
  });

  function sourceOf(): string {
    return new URL('./atomic-file.ts', import.meta.url).href;
  }
});
