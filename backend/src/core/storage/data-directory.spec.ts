import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  rmdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { readConfiguration } from '../config/index.js';
import { DataDirectory } from './data-directory.js';
import { pathsOverlap } from './paths-overlap.js';
import { InstanceLock } from './instance-lock.js';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'storage-'));
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('DataDirectory', () => {
  const open = (root: string): DataDirectory => DataDirectory.open(readConfiguration({ APP_DATA_DIR: root }));

  it('has mode 0700, also if the folder exists with another one', () => {
    chmodSync(folder, 0o755);
    open(folder);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    expect(statSync(join(folder, 'clusters')).mode & 0o777).toBe(0o700);
  });

  it.each(['..', '.', '', 'a/b', '../x', 'a\0b', 'a\\b'])('rejects the cluster folder %j', (name) => {
    expect(() => open(folder).cluster(name)).toThrow(/directly in/);
  });

  it.each(['demo', 'demo@podman', 'a.b'])('accepts the cluster folder %j', (name) => {
    expect(open(folder).cluster(name)).toBe(join(folder, 'clusters', name));
  });

  it('is locked by one process at a time for each of the two applications', () => {
    const first = InstanceLock.acquire(folder, 'dashboard');
    expect(() => InstanceLock.acquire(folder, 'dashboard')).toThrow(
      `Another Slipway (process ${process.pid}) already uses ${folder}`,
    );
    InstanceLock.acquire(folder, 'log-board').release();
    first.release();
    InstanceLock.acquire(folder, 'dashboard').release();
  });
});

describe('InstanceLock', () => {
  it('says why it cannot lock, and does not blame another Slipway', () => {
    mkdirSync(join(folder, 'instance.lock'));
    expect(() => InstanceLock.acquire(folder, 'dashboard')).toThrow(
      `Could not lock ${folder}: unable to open database file. Fix this, and try again.`,
    );
    expect(() => InstanceLock.acquire(join(folder, 'missing'), 'dashboard')).toThrow(
      /^Could not lock .*: a file or folder does not exist\./,
    );
  });

  it('is free again if its process id cannot be written', () => {
    mkdirSync(join(folder, 'slipway.pid'));
    const acquire = (): InstanceLock => InstanceLock.acquire(folder, 'dashboard');
    expect(acquire).toThrow(`Could not lock ${folder}: a path that should be a file is a folder.`);
    rmdirSync(join(folder, 'slipway.pid'));
    acquire().release();
  });

  it('has private files, also if they exist with another mode', () => {
    writeFileSync(join(folder, 'log-board.lock'), '', { mode: 0o644 });
    for (const name of ['dashboard', 'log-board'] as const) InstanceLock.acquire(folder, name).release();
    for (const name of ['instance.lock', 'log-board.lock']) {
      expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
    }
  });

  it('keeps other processes out while the same process fails to take it again', () => {
    const held = InstanceLock.acquire(folder, 'dashboard');
    expect(() => InstanceLock.acquire(folder, 'dashboard')).toThrow('Another Slipway');
    const script = `new (require('node:sqlite').DatabaseSync)(process.argv[1]).exec('BEGIN EXCLUSIVE')`;
    const other = spawnSync(process.execPath, ['-e', script, join(folder, 'instance.lock')]);
    expect(other.stderr.toString()).toContain('database is locked');
    held.release();
  });
});

describe('pathsOverlap', () => {
  it.each([
    ['data', true],
    ['data/clusters/x', true],
    ['data/not/there', true],
    ['.', true],
    ['link', true],
    ['link/clusters', true],
    ['link/not/there', true],
    ['dangling', true],
    ['dangling/below', true],
    ['loop', false],
    ['data2', false],
    ['other/data', false],
    ['..data', false],
  ])('of the folder beside it, %s: %j', (path, expected) => {
    const data = DataDirectory.open(readConfiguration({ APP_DATA_DIR: join(folder, 'data') }));
    symlinkSync(join(folder, 'data'), join(folder, 'link'));
    symlinkSync('link/clusters/to-come', join(folder, 'dangling'));
    symlinkSync('loop', join(folder, 'loop'));
    expect(pathsOverlap(data.root, join(folder, path))).toBe(expected);
    expect(pathsOverlap(data.root, '/')).toBe(true);
  });
});
