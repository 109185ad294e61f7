import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { RuntimeDriver } from './runtime-driver.js';

/** Free bytes on the file system of an engine's images. Undefined if that is not on this machine. */
export async function freeDisk(runtime: RuntimeDriver): Promise<number | undefined> {
  return (await engineDisk(runtime))?.freeBytes;
}

/** The file system of an engine's images, without what is reserved for root. Undefined if it is not on this machine. */
export async function engineDisk(
  runtime: RuntimeDriver,
): Promise<{ freeBytes: number; totalBytes: number } | undefined> {
  const { storagePath } = runtime.info().host;
  if (storagePath === null) return undefined;
  // The folder itself may be unreadable; its parents are usually on the same disk. If not even the first folder
  // exists, the path is inside the engine's virtual machine.
  for (let path = storagePath; path !== dirname(path); path = dirname(path)) {
    const disk = await statfs(path).catch(() => undefined);
    if (disk) {
      const { bavail, bfree, blocks, bsize } = disk;
      return { freeBytes: bavail * bsize, totalBytes: (blocks - bfree + bavail) * bsize };
    }
  }
  return undefined;
}
