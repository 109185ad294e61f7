import { DomainError, guardedTimeout } from '../../core/errors/index.js';
import type { RunningProgram } from '../../drivers/runtime/index.js';

/** Time until the first byte, such as of a file on a network disk. */
const FIRST_BYTE_MS = 30_000;
/** Time between two pieces, without the time that the receiver takes. */
const IDLE_MS = 60_000;

/** A program of a container that reads or writes a file, with its deadlines. */
export class FileProgram {
  private mustEnd = true;

  /**
   * @param endProcesses ends its processes in the container, which do not notice that their output is not read
   * @param release gives its slot back
   */
  constructor(
    private readonly program: RunningProgram,
    private readonly path: string,
    private readonly endProcesses: () => Promise<void>,
    private readonly release: () => void,
  ) {
    void program.ended.then(({ exitCode }) => (this.mustEnd &&= exitCode === null));
  }

  /** Its output. @throws DomainError `file_refused` at a deadline */
  async *output(): AsyncGenerator<Buffer> {
    const pieces = (this.program.stream as AsyncIterable<Buffer>)[Symbol.asyncIterator]();
    let deadlineMs = FIRST_BYTE_MS;
    for (;;) {
      const timer = this.stallAfter(deadlineMs);
      const next = await pieces.next().finally(() => clearTimeout(timer));
      if (next.done === true) return;
      yield next.value;
      deadlineMs = IDLE_MS;
    }
  }

  /** Its input, which must be read in time. */
  async *input(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const chunk of source) {
      const timer = this.stallAfter(FIRST_BYTE_MS);
      try {
        yield chunk;
      } finally {
        clearTimeout(timer);
      }
    }
  }

  /** Ends the connection unless the timer is cleared. */
  stallAfter(milliseconds: number): NodeJS.Timeout {
    const reason = `${this.path} did not respond within ${milliseconds / 1000} s. Its disk may hang.`;
    const end = (): void => void this.program.stream.destroy(new DomainError('file_refused', reason));
    return guardedTimeout(end, milliseconds, 'end a program');
  }

  /** Leaves its processes running when it is closed. */
  letFinish(): void {
    this.mustEnd = false;
  }

  async close(): Promise<void> {
    this.program.stream.destroy();
    if (this.mustEnd) await this.endProcesses().catch(() => undefined);
    this.release();
  }
}
