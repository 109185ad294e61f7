import { constants } from 'node:fs';
import { open, readFile, unlink } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';

const RETRY_MS = 50;
/** What a lock of ours holds, so that one that a crash left is known. */
const MARK = /^slipway (\d{1,10})\n$/;

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
  while (!(await tryLock(path))) {
    if (await isLeftBehind(path)) await unlink(path).catch(() => undefined);
    else if (performance.now() > deadline) throw new LockedError(`${path} is there`);
    else await delay(RETRY_MS);
  }
  try {
    return await work();
  } finally {
    await unlink(path).catch(() => undefined);
  }
}

async function tryLock(path: string): Promise<boolean> {
  try {
    const handle = await open(path, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, 0o600);
    await handle.writeFile(`slipway ${process.pid}\n`).finally(() => handle.close());
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
