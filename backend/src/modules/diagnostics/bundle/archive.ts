import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { Header } from 'tar';

export interface ArchiveFile {
  path: string;
  text: string;
}

const BLOCK = 512;

/** A gzipped tar of texts, in one folder so that unpacking it litters nothing. */
export async function archiveOf(folder: string, files: readonly ArchiveFile[], at: Date): Promise<Buffer> {
  const blocks = files.flatMap(({ path, text }) => {
    const content = Buffer.from(text, 'utf8');
    const header = new Header({
      path: `${folder}/${path}`,
      type: 'File',
      mode: 0o600,
      mtime: at,
      size: content.length,
    });
    const head = Buffer.alloc(BLOCK);
    header.encode(head);
    return [head, content, Buffer.alloc((BLOCK - (content.length % BLOCK)) % BLOCK)];
  });
  return await promisify(gzip)(Buffer.concat([...blocks, Buffer.alloc(2 * BLOCK)]));
}
