import { Parser, type ReadEntry } from 'tar';

/** What an archive of one file holds beside it: its header, and the zeros at its end. */
const ARCHIVE_OVERHEAD_BYTES = 32_768;

/**
 * The text of the file in an archive of one file, as engines send it.
 * @returns undefined where it holds no file, half a one, or a larger one than is wanted; no more than that is read.
 */
export async function readArchivedFile(
  archive: NodeJS.ReadableStream,
  maxBytes: number,
): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let entries = 0;
  let size: number | undefined;
  const parser = new Parser({
    onReadEntry: (entry: ReadEntry) => {
      // A folder or a link says that the path is no file; what follows in the archive is not asked for.
      entries += 1;
      if (entries === 1 && entry.type === 'File' && entry.size <= maxBytes) {
        size = entry.size;
        entry.on('data', (chunk: Buffer) => chunks.push(chunk));
      } else entry.resume();
    },
  });
  let read = 0;
  for await (const chunk of archive as AsyncIterable<Buffer>) {
    read += chunk.length;
    // Leaving the loop ends the stream.
    if (read > maxBytes + ARCHIVE_OVERHEAD_BYTES) break;
    parser.write(chunk);
  }
  const content = Buffer.concat(chunks);
  return content.length === size ? content.toString('utf8') : undefined;
}
