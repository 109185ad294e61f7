import { randomBytes } from 'node:crypto';
import { constants, renameSync } from 'node:fs';
import { mkdir, open, readdir, stat, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';

const TEMPORARY = /^\.slipway-[0-9a-f]{12}\.tmp$/;
/** No write of ours takes that long: what is older, a crash left. */
const LEFT_BEHIND_MS = 60_000;

/** Whose a file is, by numbers. */
export interface FileOwner {
  uid: number;
  gid: number;
}

interface WriteOptions {
  mode?: number;
  owner?: FileOwner | undefined;
  confirm?: () => void;
}

/** Files of one folder that change together. */
export interface FileChange {
  path: string;
  content: string | Uint8Array;
}

/**
 * Writes a file so that a reader, or a crash at any moment, sees the old content or the new, never a part:
 * temporary file in the same folder, synced, renamed, folder synced.
 * With `owner` the file stays somebody's, also where root writes it.
 * The mode holds also where an older file had a wider one, which a plain write would keep.
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
 * Writes several files of a folder that is there, each as `writeFileAtomically` does. All of them are on disk
 * before the first takes its place, so a full disk changes none.
 * @param options.confirm called when nothing but the renames is left to do, in one turn with them: nobody else
 *   in this process can act in between. What it throws stops the change.
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

/** A name for a file on its way to another, that nobody else uses and that `removeLeftTemporaries` knows. */
export function temporaryFileIn(folder: string): string {
  return join(folder, `.slipway-${randomBytes(6).toString('hex')}.tmp`);
}

/** Removes the temporary files that an end in the middle of a write left in a folder; never fails. */
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
  // Windows cannot open folders; there the rename is as durable as it gets.
  if (process.platform === 'win32') return;
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
