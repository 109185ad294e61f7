import { link, readFile, unlink, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { temporaryFileIn } from './atomic-file.js';

const RETRY_MS = 50;
/** What a lock of ours holds, so that one that a crash left is known. */
const MARK = /^slipway (\d{1,10})\n$/;

const NO_LINKS = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'];

/** Somebody else held the lock all the time that was waited. */
export class LockedError extends Error {}

/**
 * Works under a lock that is a file: only one process can make it, and whoever makes it removes it. It is how
 * client-go locks kubeconfigs (`clientcmd.lockFile`), without any way to tell a lock that was left behind; ours
 * name their process, so that one of a process that is gone is passed over.
 * @throws LockedError
 */
export async function withLockFile<TResult>(
  path: string,
  patienceMs: number,
  work: () => Promise<TResult>,
): Promise<TResult> {
  const deadline = performance.now() + patienceMs;
  // The lock comes with its mark in it, as a link to a file that is whole: one that is made first and marked
  // afterwards could be left empty by a crash, and would then be nobody's for ever.
  const claim = temporaryFileIn(dirname(path));
  await writeFile(claim, mark(), { mode: 0o600, flag: 'wx' });
  try {
    while (!(await tryLock(claim, path))) {
      if (await isLeftBehind(path)) await unlink(path).catch(() => undefined);
      else if (performance.now() > deadline) throw new LockedError(`${path} is there`);
      else await delay(RETRY_MS);
    }
  } finally {
    await unlink(claim).catch(() => undefined);
  }
  try {
    return await work();
  } finally {
    await unlink(path).catch(() => undefined);
  }
}

function mark(): string {
  return `slipway ${process.pid}\n`;
}

async function tryLock(claim: string, path: string): Promise<boolean> {
  try {
    await link(claim, path).catch(async (error: unknown) => {
      // Some file systems know no links (FAT, some of FUSE); there the mark follows a moment after the file.
      if (!NO_LINKS.includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
      await writeFile(path, mark(), { mode: 0o600, flag: 'wx' });
    });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

async function isLeftBehind(path: string): Promise<boolean> {
  const pid = MARK.exec(await readFile(path, 'utf8').catch(() => ''))?.[1];
  if (pid === undefined) return false;
  try {
    process.kill(Number(pid), 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}
