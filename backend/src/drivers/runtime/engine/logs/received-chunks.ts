import type { Readable } from 'node:stream';
import { guarded } from '../../../../core/errors/index.js';

/** Unread bytes at which the stream is paused. */
const MAX_WAITING_BYTES = 1024 * 1024;

/**
 * The chunks of a stream, in batches of all that arrived while the reader was busy, since engines send each log line as a
 * separate chunk. Destroys the stream when the reader stops.
 * @throws Error if the connection breaks, after all earlier chunks.
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
  const take = guarded((chunk: Buffer) => {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes >= MAX_WAITING_BYTES) stream.pause();
    wake();
  }, stream);
  stream.on('data', take);
  stream.once('end', () => end());
  // Not `once`, since destroying the stream may emit another error.
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
