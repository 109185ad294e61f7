import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { Parser, type ReadEntry } from 'tar';

/** How gzip begins, in hexadecimal digits. */
const PACKED = '1f8b';

/** What an archive may have at most. */
export interface ArchiveLimits {
  entries: number;
  /** Unpacked, with headers. */
  bytes: number;
  milliseconds: number;
}

/** One entry of an archive. Nothing that it says can be trusted. */
export interface TarEntry {
  /** As the archive has it; `escapesRoot` tells whether it can be used. */
  path: string;
  /** `File`, `Directory`, or a kind of link or device. */
  type: string;
  /** Bytes. */
  size: number;
  content: AsyncIterable<Buffer>;
}

/** An archive has more than it may. */
export class ArchiveLimitError extends Error {}

export interface ReadTarOptions {
  limits: ArchiveLimits;
  /** Whether the source is gzipped. The parser would unpack all that it read before it looks at any of it. */
  gzipped?: boolean;
  signal?: AbortSignal;
}

/**
 * Reads a tar archive entry by entry and unpacks nothing: every archive that Slipway takes apart goes through here.
 * @param visit is called for one entry after the other; content that it does not read is passed over.
 * @throws ArchiveLimitError, what `visit` throws, or the parser's error for what is no whole archive.
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
    // Formats that are not meant to come, and would unpack without a limit.
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
      // The parser goes on to the next entry before the reader of this one hears of its end.
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
  // Sparse files, and headers of more than a megabyte: other readers make more of them than this one would.
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

/** Whether a path in an archive leads out of the folder that it is read for. */
export function escapesRoot(path: string): boolean {
  return (
    path.startsWith('/') || /[\\\0]/.test(path) || /^[a-z]:/i.test(path) || path.split('/').includes('..')
  );
}

/** Stops what unpacks to more than it may, and what the parser would unpack once more without a limit. */
function meter(most: number): Transform {
  let bytes = 0;
  let head = '';
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length;
      if (head.length < PACKED.length) head += chunk.toString('hex', 0, 2);
      if (bytes > most) done(new ArchiveLimitError(`it unpacks to more than ${Math.round(most / 1e6)} MB`));
      else if (head.startsWith(PACKED)) done(new Error('it is packed twice'));
      else done(null, chunk);
    },
  });
}
