import type { Readable } from 'node:stream';

/** Bytes that wait for a reader before the connection is left full. */
const MOST_WAITING_BYTES = 1024 * 1024;

/**
 * What comes over a connection, chunk by chunk as the other side sent it; all that came while the reader was busy at
 * once. A reader that is slow has the connection stand still, and one that leaves has it closed.
 * @throws Error where the connection breaks.
 */
export async function* receivedChunks(stream: Readable): AsyncGenerator<Buffer[]> {
  const received = {
    chunks: [] as Buffer[],
    bytes: 0,
    isOver: false,
    failure: undefined as Error | undefined,
  };
  let wake = (): void => undefined;
  const finish = (failure?: Error): void => {
    received.failure ??= failure;
    received.isOver = true;
    wake();
  };
  stream.on('data', (chunk: Buffer) => {
    received.chunks.push(chunk);
    received.bytes += chunk.length;
    if (received.bytes >= MOST_WAITING_BYTES) stream.pause();
    wake();
  });
  stream.once('end', () => finish());
  stream.once('error', finish);
  stream.once('close', () => finish());
  if (stream.destroyed) finish(stream.errored ?? undefined);
  try {
    for (;;) {
      const { chunks, isOver, failure } = received;
      if (chunks.length > 0) {
        Object.assign(received, { chunks: [], bytes: 0 });
        stream.resume();
        yield chunks;
      } else if (failure) throw failure;
      else if (isOver) return;
      else {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    }
  } finally {
    // What comes as it is closed concerns nobody any more.
    stream.on('error', () => undefined);
    stream.destroy();
  }
}
