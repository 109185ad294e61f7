import type { FollowedLog } from './reading/log-reader.js';

/** Measures how long the streams of a tail have been idle. */
export class IdleMonitor {
  private activeAt = performance.now();
  private isHeld = false;

  /** Time since the last activity. A batch that the consumer still processes counts as activity. */
  get idleMs(): number {
    return this.isHeld ? 0 : performance.now() - this.activeAt;
  }

  /** Wraps a log so that its streams are monitored. */
  log(log: FollowedLog): FollowedLog {
    return { ...log, open: (start, signal) => this.stream(log.open(start, signal)) };
  }

  /** Wraps a stream so that it is monitored. */
  async *stream<TPart>(stream: AsyncIterable<TPart>): AsyncGenerator<TPart> {
    for await (const part of stream) {
      this.isHeld = true;
      try {
        yield part;
      } finally {
        this.isHeld = false;
        this.activeAt = performance.now();
      }
    }
  }
}
