import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { replaceUserFile } from '../../backend/src/core/storage/atomic-file.js';
import { UserKubeconfigFile } from '../../backend/src/modules/kubeconfig/user-kubeconfig-file.js';
import { run } from './support/engines.js';

const CONTENT = 'apiVersion: v1\nkind: Config\ncurrent-context: work\n';
const OTHER_USER = 65_534;

/** Only root can prepare this: mounts, and files of others. */
describe('a kubeconfig that cannot be replaced', () => {
  const folder = mkdtempSync(join(tmpdir(), 'kubeconfig-owners-'));
  const path = join(folder, 'config');
  const other = `${folder}-other`;

  beforeAll(async () => {
    writeFileSync(path, '');
    writeFileSync(other, CONTENT);
    await run('mount', ['--bind', other, path]);
  });

  afterAll(async () => {
    await run('umount', [path]);
    rmSync(folder, { recursive: true });
    rmSync(other);
  });

  it('is written in place if it is a mount', async () => {
    await new UserKubeconfigFile(path).change({ type: 'use', context: 'kind-shop' });
    expect(readFileSync(other, 'utf8')).toBe(CONTENT.replace('work', 'kind-shop'));
  });

  it('is written in place, and keeps its group, if its group is a foreign one', async () => {
    const own = join(folder, 'own');
    mkdirSync(own);
    const file = join(own, 'config');
    writeFileSync(file, `${CONTENT}# a longer text`);
    chmodSync(folder, 0o755);
    chownSync(own, OTHER_USER, OTHER_USER);
    chownSync(file, OTHER_USER, 0);
    const groups = process.getgroups?.() ?? [];
    process.setgroups?.([OTHER_USER]);
    process.setegid?.(OTHER_USER);
    process.seteuid?.(OTHER_USER);
    try {
      await replaceUserFile(file, CONTENT);
    } finally {
      process.seteuid?.(0);
      process.setegid?.(0);
      process.setgroups?.(groups);
    }
    expect(readFileSync(file, 'utf8')).toBe(CONTENT);
    expect(statSync(file)).toMatchObject({ uid: OTHER_USER, gid: 0 });
  });
});
