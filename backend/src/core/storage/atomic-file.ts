import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { mkdir, open, rename, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/**
 * Writes a file so that a reader, or a crash at any moment, sees the old content or the new, never a part:
 * temporary file in the same folder, synced, renamed, folder synced.
 * The mode holds also where an older file had a wider one, which a plain write would keep.
 */
export async function writeFileAtomically(
  path: string,
  content: string | Uint8Array,
  mode = 0o600,
): Promise<void> {
  const folder = dirname(path);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const temporary = join(folder, `.${randomBytes(6).toString('hex')}.tmp`);
  try {
    const file = await open(temporary, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, mode);
    try {
      await file.writeFile(content);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, path);
  } catch (error) {
    await unlink(temporary).catch(() => undefined);
    throw error;
  }
  await syncFolder(folder);
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
