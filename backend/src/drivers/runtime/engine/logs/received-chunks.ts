import type { Readable } from 'node:stream';

/** Bytes that wait for the reader before the stream is paused. */
const MAX_WAITING_BYTES = 1024 * 1024;

/**
 * The chunks of a stream. Everything that arrives while the reader is busy comes as one batch: an engine sends each log
 * line as a chunk of its own. A reader that stops early destroys the stream.
 * @throws Error when the connection breaks, after all chunks that arrived before.
 */
export function receivedChunks(stream: Readable): AsyncGenerator<Buffer[]> {
  let chunks: Buffer[] = [];
  let bytes = 0;
  let failure: Error | undefined;
  let hasEnded = stream.destroyed;
  let wake = (): void => undefined;
  const end = (error?: Error): void => {
    failure ??= error;
    hasEnded = true;
    wake();
  };
  stream.on('data', (chunk: Buffer) => {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes >= MAX_WAITING_BYTES) stream.pause();
    wake();
  });
  stream.once('end', () => end());
  // Stays after the first error: destroying the stream may raise another one.
  stream.on('error', end);
  stream.once('close', () => end());
  if (stream.destroyed) failure = stream.errored ?? undefined;

  const read = async function* (): AsyncGenerator<Buffer[]> {
    try {
      for (;;) {
        if (chunks.length > 0) {
          const batch = chunks;
          chunks = [];
          bytes = 0;
          stream.resume();
          yield batch;
        } else if (failure) throw failure;
        else if (hasEnded) return;
        else {
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
        }
      }
    } finally {
      stream.destroy();
    }
  };
  return read();
}
