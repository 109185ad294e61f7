import { createHash, randomBytes } from 'node:crypto';
import { link, readFile, unlink, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { temporaryFileIn } from './atomic-file.js';

const RETRY_MS = 50;
/** What a lock of ours holds, so that one that a crash left is known: a process, and a random text of its own. */
const MARK = /^slipway (\d{1,10})(?: ([\w-]{16}))?\n$/;

/** The random texts of the locks that this process waits for or holds. */
const own = new Set<string>();

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
  const nonce = randomBytes(12).toString('base64url');
  const mark = `slipway ${process.pid} ${nonce}\n`;
  own.add(nonce);
  // The lock comes with its mark in it, as a link to a file that is whole: one that is made first and marked
  // afterwards could be left empty by a crash, and nobody could tell that it was.
  const claim = temporaryFileIn(dirname(path));
  try {
    await writeFile(claim, mark, { mode: 0o600, flag: 'wx' });
    while (!(await tryLock(claim, path, mark))) {
      if (performance.now() > deadline) throw new LockedError(`${path} is there`);
      const abandoned = await abandonedMark(path);
      if (abandoned === undefined) await delay(RETRY_MS);
      else await removeAbandoned(path, abandoned);
    }
    await unlink(claim).catch(() => undefined);
    try {
      return await work();
    } finally {
      await unlink(path).catch(() => undefined);
    }
  } finally {
    own.delete(nonce);
    await unlink(claim).catch(() => undefined);
  }
}

async function tryLock(claim: string, path: string, mark: string): Promise<boolean> {
  try {
    await link(claim, path).catch(async (error: unknown) => {
      // Some file systems know no links (FAT, some of FUSE); there the mark follows a moment after the file.
      if (!NO_LINKS.includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
      await writeFile(path, mark, { mode: 0o600, flag: 'wx' });
    });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** What a lock holds whose process is gone; undefined where it may be held, or is not of our kind. */
async function abandonedMark(path: string): Promise<string | undefined> {
  const text = await readFile(path, 'utf8').catch(() => '');
  const [, pid, nonce] = MARK.exec(text) ?? [];
  if (pid === undefined) return undefined;
  // In a container a crashed process often had the id that this one has.
  if (Number(pid) === process.pid) return nonce !== undefined && own.has(nonce) ? undefined : text;
  try {
    process.kill(Number(pid), 0);
    return undefined;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH' ? text : undefined;
  }
}

/**
 * Removes an abandoned lock, unless another process did so and made its own meanwhile. Only who makes the file that is
 * named after what the lock holds may remove it, so what is read while that file is there is what is removed.
 */
async function removeAbandoned(path: string, judged: string): Promise<void> {
  const right = `${path}.${createHash('sha256').update(judged).digest('hex').slice(0, 16)}`;
  try {
    await writeFile(right, '', { mode: 0o600, flag: 'wx' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    await delay(RETRY_MS);
    return;
  }
  try {
    if ((await readFile(path, 'utf8').catch(() => '')) === judged) await unlink(path);
  } finally {
    await unlink(right).catch(() => undefined);
  }
}
