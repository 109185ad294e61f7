import { buffer } from 'node:stream/consumers';
import { readTar } from '../../../core/archive/index.js';

/** What an archive of one file holds beside it: its header, and the zeros at its end. */
const ARCHIVE_OVERHEAD_BYTES = 32_768;
const MAX_MS = 30_000;

/**
 * The text of the file in an archive of one file, as engines send it.
 * @returns undefined where it holds no file, half a one, or a larger one than is wanted; no more than that is read.
 */
export async function readArchivedFile(
  archive: NodeJS.ReadableStream,
  maxBytes: number,
): Promise<string | undefined> {
  // A folder or a link says that the path is no file; what follows in the archive is not asked for.
  const limits = { entries: 1, bytes: maxBytes + ARCHIVE_OVERHEAD_BYTES, milliseconds: MAX_MS };
  let text: string | undefined;
  await readTar(archive, { limits }, async ({ type, size, content }) => {
    if (type !== 'File' || size > maxBytes) return;
    const bytes = await buffer(content);
    if (bytes.length === size) text = bytes.toString('utf8');
  }).catch(() => undefined);
  return text;
}
