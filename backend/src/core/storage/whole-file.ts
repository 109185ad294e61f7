import { constants } from 'node:fs';
import { open } from 'node:fs/promises';

/** Something stands there that is not a file to be read whole: to read it could take for ever, or all memory. */
export class NotReadableError extends Error {}

/** The text of a file; undefined where there is none. @throws NotReadableError, with words that follow its name */
export async function readWholeFile(path: string, maxBytes: number): Promise<string | undefined> {
  try {
    // Opening a pipe to read would wait for somebody to write.
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
    if (code === 'ELOOP') throw new NotReadableError('it is a link that leads round in a circle');
    if (code === 'EACCES') throw new NotReadableError('this user may not read it');
    throw error;
  }
}
