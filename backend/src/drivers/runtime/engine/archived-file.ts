import { buffer } from 'node:stream/consumers';
import { readTar } from '../../../core/archive/index.js';

/** Size of the header and the padding of an archive with one file. */
const ARCHIVE_OVERHEAD_BYTES = 32_768;
const MAX_MS = 30_000;

/**
 * The text of the file in an archive of an engine with a single file.
 * @returns undefined if there is no file, or if it is incomplete or too large.
 */
export async function readArchivedFile(
  archive: NodeJS.ReadableStream,
  maxBytes: number,
): Promise<string | undefined> {
  // If the first entry is a folder or a link, the rest of the archive is not needed.
  const limits = { entries: 1, bytes: maxBytes + ARCHIVE_OVERHEAD_BYTES, milliseconds: MAX_MS };
  let text: string | undefined;
  await readTar(archive, { limits }, async ({ type, size, content }) => {
    if (type !== 'File' || size > maxBytes) return;
    const bytes = await buffer(content);
    if (bytes.length === size) text = bytes.toString('utf8');
  }).catch(() => undefined);
  return text;
}
