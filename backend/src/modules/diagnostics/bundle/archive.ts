import { buffer } from 'node:stream/consumers';
import { TarWriter } from '../../../core/archive/index.js';

export interface ArchiveFile {
  path: string;
  text: string;
}

export async function createArchive(
  folder: string,
  files: readonly ArchiveFile[],
  at: Date,
): Promise<Buffer> {
  const writer = new TarWriter(at);
  const archive = buffer(writer.stream);
  for (const { path, text } of files) await writer.text(`${folder}/${path}`, text);
  writer.end();
  return await archive;
}
