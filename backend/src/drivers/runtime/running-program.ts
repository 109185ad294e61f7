import type { Duplex } from 'node:stream';

export interface TerminalSize {
  columns: number;
  rows: number;
}

export interface ProgramEnd {
  /** Null if it did not start, or if its connection ended before it. */
  exitCode: number | null;
  /** Why it did not start, or why its connection ended; null if it exited. */
  problem: string | null;
}

/** A program in a container. The end of the connection does not end the program. */
export interface RunningProgram {
  /**
   * Its standard input and its output, with back-pressure in both directions. With a terminal, the output includes the error
   * output. The readable side ends with the program; `destroy` ends the connection.
   */
  readonly stream: Duplex;
  /** The end of the error output, up to 2,000 bytes; empty with a terminal. */
  errorOutput(): string;
  /** Sets the size of the terminal. Does nothing after the end. */
  resize(size: TerminalSize): void;
  /** Resolves when the program or its connection has ended. Never rejects. */
  readonly ended: Promise<ProgramEnd>;
}
