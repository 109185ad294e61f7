import { createHash, randomBytes } from 'node:crypto';
import { link, readFile, unlink, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { temporaryFileIn } from './atomic-file.js';
import { isRunning } from './is-running.js';

const RETRY_MS = 50;
/** Content of Slipway's locks, which identifies a stale one: process id and a random nonce. */
const MARK = /^slipway (\d{1,10})(?: ([\w-]{16}))?\n$/;

/** The nonces of the locks that this process waits for or holds. */
const own = new Set<string>();

const NO_LINKS = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'];

/** The lock was not released in time. */
export class LockedError extends Error {}

/**
 * Runs `work` while it holds a lock file, as client-go does for kubeconfigs (`clientcmd.lockFile`). Unlike those of
 * client-go, Slipway's locks contain their process id, so that a lock of a crashed process can be removed.
 *
 * `proper-lockfile` is no alternative: it listens to 18 signals, and with its listener for SIGXFSZ, a write beyond the
 * file size limit ends the process (measured: exit status 153) instead of failing with EFBIG. It also takes 7 MB of
 * memory.
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
  // Links a complete file to the path of the lock. If the lock were created first and written afterwards, a crash in
  // between would leave an empty lock without an owner.
  const claim = temporaryFileIn(dirname(path));
  try {
    await writeFile(claim, mark, { mode: 0o600, flag: 'wx' });
    while (!(await tryLock(claim, path, mark))) {
      if (performance.now() > deadline) throw new LockedError(`${path} exists`);
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
      // Some file systems do not support links (FAT, some FUSE ones).
      if (!NO_LINKS.includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
      await writeFile(path, mark, { mode: 0o600, flag: 'wx' });
    });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** The content of a stale lock; undefined if the lock may be in use, or is not one of Slipway's. */
async function abandonedMark(path: string): Promise<string | undefined> {
  const text = await readFile(path, 'utf8').catch(() => '');
  const [, pid, nonce] = MARK.exec(text) ?? [];
  if (pid === undefined) return undefined;
  // In a container, the crashed process often had the same id as this one.
  if (Number(pid) === process.pid) return nonce !== undefined && own.has(nonce) ? undefined : text;
  return isRunning(Number(pid)) ? undefined : text;
}

/**
 * Removes a stale lock, unless another process has replaced it in the meantime. Only the process that creates a second
 * file, named after the content of the lock, may remove it, so the lock cannot change between the check and the removal.
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
