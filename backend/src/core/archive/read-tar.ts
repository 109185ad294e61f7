import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { Parser, type ReadEntry } from 'tar';

/** The first bytes of a gzip file, in hex. */
const GZIP_MAGIC = '1f8b';

export interface ArchiveLimits {
  entries: number;
  /** Uncompressed, including headers. */
  bytes: number;
  milliseconds: number;
}

/** One entry of an archive. All of it is untrusted. */
export interface TarEntry {
  /** Unchecked; see `escapesRoot`. */
  path: string;
  /** `File`, `Directory`, or a kind of link or device. */
  type: string;
  /** Bytes. */
  size: number;
  content: AsyncIterable<Buffer>;
}

export class ArchiveLimitError extends Error {}

export interface ReadTarOptions {
  limits: ArchiveLimits;
  /** Whether the source is gzipped. The parser would decompress everything it has read before it checks any of it. */
  gzipped?: boolean;
  signal?: AbortSignal;
}

/**
 * Reads a tar archive entry by entry and extracts nothing. The only place that parses archives.
 * @param visit called for each entry in order; content that it does not read is skipped.
 * @throws ArchiveLimitError, the error of `visit`, or the parser's error for an incomplete archive.
 */
export async function readTar(
  source: NodeJS.ReadableStream,
  { limits, gzipped = false, signal }: ReadTarOptions,
  visit: (entry: TarEntry) => void | Promise<void>,
): Promise<void> {
  const stop = new AbortController();
  let failure: unknown;
  const fail = (error: unknown): void => {
    failure ??= error;
    stop.abort();
  };
  const timer = setTimeout(
    () => fail(new ArchiveLimitError(`it takes longer than ${limits.milliseconds / 1000} s to read`)),
    limits.milliseconds,
  );
  let entries = 0;
  let visiting = Promise.resolve();
  const parser = new Parser({
    strict: true,
    // Unexpected formats, which would be decompressed without a limit.
    brotli: false,
    zstd: false,
    onReadEntry: (entry: ReadEntry) => {
      entries += 1;
      if (entries > limits.entries) fail(new ArchiveLimitError(`it holds more than ${limits.entries} files`));
      if (failure !== undefined) {
        entry.resume();
        return;
      }
      const { path, type, size } = entry;
      // The parser starts the next entry before the reader of this one sees its end.
      visiting = visiting
        .then(() =>
          failure === undefined
            ? visit({ path, type, size, content: entry as AsyncIterable<Buffer> })
            : undefined,
        )
        .catch(fail)
        .finally(() => entry.resume());
    },
  });
  // Sparse files, and headers of more than a megabyte: other readers would read content that this one ignores.
  parser.on('ignoredEntry', ({ type }: ReadEntry) =>
    fail(new Error(`it holds an entry that cannot be read (${type})`)),
  );
  const stages = [source, ...(gzipped ? [createGunzip()] : []), meter(limits.bytes), parser];
  try {
    await pipeline(stages, { signal: signal ? AbortSignal.any([signal, stop.signal]) : stop.signal });
    await visiting;
  } catch (error) {
    throw toError(failure ?? error);
  } finally {
    clearTimeout(timer);
  }
  if (failure !== undefined) throw toError(failure);
}

function toError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown));
}

/** Whether a path in an archive points outside its root folder. */
export function escapesRoot(path: string): boolean {
  return (
    path.startsWith('/') || /[\\\0]/.test(path) || /^[a-z]:/i.test(path) || path.split('/').includes('..')
  );
}

/** Enforces the size limit, and rejects a second gzip layer, which the parser would decompress without a limit. */
function meter(most: number): Transform {
  let bytes = 0;
  let head = '';
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length;
      if (head.length < GZIP_MAGIC.length) head += chunk.toString('hex', 0, 2);
      if (bytes > most) done(new ArchiveLimitError(`it unpacks to more than ${Math.round(most / 1e6)} MB`));
      else if (head.startsWith(GZIP_MAGIC)) done(new Error('it is packed twice'));
      else done(null, chunk);
    },
  });
}
