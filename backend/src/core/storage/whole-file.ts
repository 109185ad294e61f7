import { constants } from 'node:fs';
import { open } from 'node:fs/promises';

/** The path is not a regular file of limited size. Reading it could take forever or use all memory. */
export class NotReadableError extends Error {}

/** The text of a file; undefined if it does not exist. @throws NotReadableError with a reason to put after the name */
export async function readWholeFile(path: string, maxBytes: number): Promise<string | undefined> {
  try {
    // Without O_NONBLOCK, opening a named pipe waits for a writer.
    const handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      const state = await handle.stat();
      if (!state.isFile()) throw new NotReadableError('it is not a file');
      if (state.size > maxBytes) throw new NotReadableError(`it is larger than ${maxBytes / 1e6} MB`);
      return await handle.readFile('utf8');
    } finally {
      await handle.close();
    }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return undefined;
    if (code === 'ELOOP') throw new NotReadableError('it is a circular link');
    if (code === 'EACCES') throw new NotReadableError('this user has no permission to read it');
    throw error;
  }
}
