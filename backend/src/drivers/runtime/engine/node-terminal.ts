import type { Duplex } from 'node:stream';
import { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { DomainError, hasCode, reasonOf } from '../../../core/errors/index.js';
import type { ProgramEnd, RunningProgram, TerminalSize } from '../running-program.js';
import type { EngineConnection } from './engine-connection.js';
import { createExecution, exitCodeOf, startExecution } from './execution.js';

/** Engines reject a size until the program has started. */
const SIZE_ATTEMPTS = 20;
const SIZE_PAUSE_MS = 100;

/** Starts a program on a terminal in a container. @throws DomainError `node_unavailable` */
export async function runInTerminal(
  connection: EngineConnection,
  id: string,
  command: readonly string[],
): Promise<RunningProgram> {
  try {
    const options = { Cmd: [...command], AttachStdin: true, Tty: true };
    const execution = await createExecution(connection, id, options);
    const start = { hijack: true, tty: true };
    const signal = new AbortController().signal;
    const socket = await startExecution(connection, execution, Socket, start, signal);
    return new TerminalProgram(connection, execution, socket);
  } catch (error) {
    if (hasCode(error, 'runtime_unavailable')) throw error;
    const message = `Could not run ${command[0] ?? 'the program'} in the node: ${reasonOf(error)}.`;
    throw new DomainError('node_unavailable', message, undefined, { cause: error });
  }
}

class TerminalProgram implements RunningProgram {
  readonly ended: Promise<ProgramEnd>;
  private wanted: TerminalSize | undefined;
  private isResizing = false;

  constructor(
    private readonly connection: EngineConnection,
    private readonly execution: string,
    readonly stream: Duplex,
  ) {
    const closed = new Promise<void>((resolve) => stream.once('close', () => resolve()));
    stream.on('error', () => undefined);
    this.ended = closed.then(() => this.end());
  }

  errorOutput(): string {
    return '';
  }

  resize(size: TerminalSize): void {
    this.wanted = size;
    if (!this.isResizing) void this.applySize();
  }

  /** One request after the other, so that the last size wins. */
  private async applySize(): Promise<void> {
    this.isResizing = true;
    for (let attempt = 0; this.wanted && attempt < SIZE_ATTEMPTS && !this.stream.destroyed; attempt += 1) {
      const { columns: w, rows: h } = this.wanted;
      const size = this.wanted;
      const path = `/exec/${this.execution}/resize?`;
      const request = { path, method: 'POST', options: { h, w } } as const;
      const isSet = await this.connection.request(request, () => true).catch(() => false);
      if (!isSet) await delay(SIZE_PAUSE_MS);
      else if (this.wanted === size) this.wanted = undefined;
    }
    this.isResizing = false;
  }

  private async end(): Promise<ProgramEnd> {
    const exitCode = await exitCodeOf(this.connection, this.execution).catch(() => null);
    if (exitCode === null || exitCode === undefined) {
      return { exitCode: null, problem: 'the connection to the node ended' };
    }
    return { exitCode, problem: null };
  }
}
