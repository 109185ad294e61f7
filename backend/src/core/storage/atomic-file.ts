import { randomBytes } from 'node:crypto';
import { constants, renameSync } from 'node:fs';
import { mkdir, open, readdir, stat, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';

const TEMPORARY = /^\.slipway-[0-9a-f]{12}\.tmp$/;
/** No write takes this long, so an older temporary file is left over from a crash. */
const LEFT_BEHIND_MS = 60_000;

export interface FileOwner {
  uid: number;
  gid: number;
}

interface WriteOptions {
  mode?: number;
  owner?: FileOwner | undefined;
  confirm?: () => void;
}

export interface FileChange {
  path: string;
  content: string | Uint8Array;
}

/**
 * Writes a file atomically: after a crash at any time, readers see either the old content or the new. Writes a temporary
 * file in the same folder, syncs and renames it, and syncs the folder.
 * @param mode replaces the mode of an existing file, which a plain write would keep.
 * @param owner of the file, also if root writes it.
 */
export async function writeFileAtomically(
  path: string,
  content: string | Uint8Array,
  mode = 0o600,
  owner?: FileOwner,
): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await writeFilesAtomically(dirname(path), [{ path, content }], { mode, owner });
}

/**
 * Writes several files of an existing folder, each as `writeFileAtomically` does. All are on disk before the first is
 * renamed, so a full disk changes none.
 * @param options.confirm called synchronously right before the renames. Its error cancels the change.
 */
export async function writeFilesAtomically(
  folder: string,
  changes: readonly FileChange[],
  { mode = 0o600, owner, confirm = () => undefined }: WriteOptions = {},
): Promise<void> {
  const written: { temporary: string; path: string }[] = [];
  try {
    for (const { path, content } of changes) {
      const temporary = temporaryFileIn(folder);
      written.push({ temporary, path });
      await writeSynced(temporary, content, mode, owner);
    }
    confirm();
    for (const { temporary, path } of written) renameSync(temporary, path);
  } catch (error) {
    for (const { temporary } of written) await unlink(temporary).catch(() => undefined);
    throw error;
  }
  await syncFolder(folder);
}

/**
 * Replaces the content of a file of the user, and keeps its owner and mode. Writes in place what cannot be replaced: a
 * mount of a single file, and a file whose owner or group only root may give to a new one.
 */
export async function replaceUserFile(path: string, content: string): Promise<void> {
  const { mode, uid, gid } = await stat(path);
  const isOwn = uid === process.getuid?.() && gid === process.getgid?.();
  try {
    await writeFileAtomically(path, content, mode & 0o777, isOwn ? undefined : { uid, gid });
  } catch (error) {
    const { code, syscall } = error as NodeJS.ErrnoException;
    if (code !== 'EBUSY' && !(code === 'EPERM' && syscall === 'fchown')) throw error;
    await writeInPlace(path, content);
  }
}

async function writeInPlace(path: string, content: string): Promise<void> {
  const file = await open(path, 'r+');
  try {
    const bytes = Buffer.from(content);
    await file.write(bytes, 0, bytes.length, 0);
    await file.truncate(bytes.length);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** A unique name for a temporary file, which `removeLeftTemporaries` recognizes. */
export function temporaryFileIn(folder: string): string {
  return join(folder, `.slipway-${randomBytes(6).toString('hex')}.tmp`);
}

/** Removes temporary files that a crash left in a folder. Never fails. */
export async function removeLeftTemporaries(folder: string): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  for (const path of names.filter((name) => TEMPORARY.test(name)).map((name) => join(folder, name))) {
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Infinity }));
    if (Date.now() - mtimeMs > LEFT_BEHIND_MS) await unlink(path).catch(() => undefined);
  }
}

async function writeSynced(
  path: string,
  content: string | Uint8Array,
  mode: number,
  owner: FileOwner | undefined,
): Promise<void> {
  const file = await open(path, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, mode);
  try {
    if (owner && (owner.uid !== process.getuid?.() || owner.gid !== process.getgid?.())) {
      await file.chown(owner.uid, owner.gid);
    }
    await file.writeFile(content);
    await file.sync();
  } finally {
    await file.close();
  }
}

async function syncFolder(folder: string): Promise<void> {
  // Windows cannot open folders.
  if (process.platform === 'win32') return;
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
