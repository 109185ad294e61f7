import type { Readable } from 'node:stream';

/** Bytes that wait for a reader before the connection is left full. */
const MOST_WAITING_BYTES = 1024 * 1024;

/** What holds a connection, lets it go on, and closes it. */
export interface Inlet {
  pause: () => void;
  resume: () => void;
  close: () => void;
}

/**
 * What comes over a connection, chunk by chunk; all that came while the reader was busy at once. A reader that is slow
 * has the connection stand still, and one that leaves has it closed.
 */
export class ReceivedChunks {
  private chunks: Buffer[] = [];
  private bytes = 0;
  private isOver = false;
  private failure: Error | undefined;
  private wake = (): void => undefined;

  constructor(private readonly inlet: Inlet) {}

  /** Whether the connection has to stand still until the reader has taken what waits. */
  get isFull(): boolean {
    return this.bytes >= MOST_WAITING_BYTES;
  }

  push(chunk: Buffer): void {
    this.chunks.push(chunk);
    this.bytes += chunk.length;
    if (this.isFull) this.inlet.pause();
    this.wake();
  }

  /** Nothing more comes. @param failure why, where the connection broke; what came before is handed on all the same. */
  end(failure?: Error): void {
    this.failure ??= failure;
    this.isOver = true;
    this.wake();
  }

  /** @throws Error where the connection breaks. */
  async *read(): AsyncGenerator<Buffer[]> {
    try {
      for (;;) {
        const { chunks, isFull } = this;
        if (chunks.length > 0) {
          this.chunks = [];
          this.bytes = 0;
          if (isFull) this.inlet.resume();
          yield chunks;
        } else if (this.failure) throw this.failure;
        else if (this.isOver) return;
        else {
          await new Promise<void>((resolve) => {
            this.wake = resolve;
          });
        }
      }
    } finally {
      this.inlet.close();
    }
  }
}

/** What comes over a stream. @throws Error where the connection breaks. */
export function receivedChunks(stream: Readable): AsyncGenerator<Buffer[]> {
  const received = new ReceivedChunks({
    pause: () => stream.pause(),
    resume: () => stream.resume(),
    close: () => {
      // What comes as it is closed concerns nobody any more.
      stream.on('error', () => undefined);
      stream.destroy();
    },
  });
  stream.on('data', (chunk: Buffer) => received.push(chunk));
  stream.once('end', () => received.end());
  stream.once('error', (error: Error) => received.end(error));
  stream.once('close', () => received.end());
  if (stream.destroyed) received.end(stream.errored ?? undefined);
  return received.read();
}
