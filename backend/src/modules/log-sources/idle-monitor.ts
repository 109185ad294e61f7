import type { FollowedLog } from './reading/log-reader.js';

/** Notes whether streams of a source tell something still. */
export class IdleMonitor {
  private heardAt = performance.now();
  private isHeld = false;

  /** How long nothing was told. What whoever reads still has in hand was told just now. */
  get quietMs(): number {
    return this.isHeld ? 0 : performance.now() - this.heardAt;
  }

  /** A log as it was, listened to. */
  log(log: FollowedLog): FollowedLog {
    return { ...log, open: (start, signal) => this.stream(log.open(start, signal)) };
  }

  /** A stream as it was, listened to. */
  async *stream<TPart>(stream: AsyncIterable<TPart>): AsyncGenerator<TPart> {
    for await (const part of stream) {
      this.isHeld = true;
      try {
        yield part;
      } finally {
        this.isHeld = false;
        this.heardAt = performance.now();
      }
    }
  }
}
