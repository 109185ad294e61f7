import { Socket } from 'node:net';
import type { LogPiece } from '../../container-logs.js';
import type { EngineConnection } from '../engine-connection.js';
import { createExecution, exitCodeOf, startExecution } from '../execution.js';
import { LogFrames } from './log-frames.js';
import { receivedChunks } from './received-chunks.js';

/**
 * Shell script that runs the command in its parameters until the connection closes. An engine does not stop a program when
 * the connection closes; it only closes its standard input. So a background process waits for the end of the input and
 * kills the program, which has replaced the shell and has its process id, `$$`.
 */
const UNTIL_INPUT_ENDS = 'exec 3<&0; (cat <&3; kill $$) >/dev/null 2>&1 & exec "$@" </dev/null 3<&-';
/** Longer lines are returned in parts. */
const MAX_LINE_BYTES = 4 * 1024 * 1024;
const MAX_STDERR = 2000;
const NEWLINE = 0x0a;

/** The output lines of a program in a container. @throws DomainError `log_unreadable`, `runtime_unavailable` */
export async function* streamLines(
  connection: EngineConnection,
  id: string,
  command: readonly string[],
  signal: AbortSignal,
): AsyncGenerator<string[]> {
  const execution = await createExecution(connection, id, {
    Cmd: ['sh', '-c', UNTIL_INPUT_ENDS, 'sh', ...command],
    AttachStdin: true,
  });
  const socket = await startExecution(connection, execution, Socket, { hijack: true }, signal);
  const close = (): void => void socket.destroy();
  signal.addEventListener('abort', close, { once: true });
  if (signal.aborted) close();
  const frames = new LogFrames();
  const lines = new OutputLines();
  try {
    for await (const chunks of receivedChunks(socket)) {
      if (signal.aborted) return;
      const pieces: LogPiece[] = [];
      for (const chunk of chunks) frames.push(chunk, pieces);
      const whole = lines.take(pieces);
      if (whole.length > 0) yield whole;
    }
    if (lines.rest !== '' && !signal.aborted) yield [lines.rest];
  } finally {
    signal.removeEventListener('abort', close);
    close();
  }
  if (signal.aborted) return;
  const exitCode = await exitCodeOf(connection, execution);
  if (exitCode) {
    const stderr = lines.stderr.trim();
    throw new Error(
      `${command[0] ?? 'the program'} exited with status ${exitCode}${stderr && `: ${stderr}`}`,
    );
  }
}

class OutputLines {
  /** The end of the error output. */
  stderr = '';
  private parts: Buffer[] = [];
  private bytes = 0;

  take(pieces: readonly LogPiece[]): string[] {
    const lines: string[] = [];
    for (const { stream, data } of pieces) {
      if (stream === 'stderr') {
        this.stderr = (this.stderr + data.toString('utf8')).slice(-MAX_STDERR);
        continue;
      }
      const isEnd = data.at(-1) === NEWLINE;
      this.parts.push(isEnd ? data.subarray(0, -1) : data);
      this.bytes += data.length;
      if (isEnd || this.bytes > MAX_LINE_BYTES) {
        lines.push(this.rest);
        this.parts = [];
        this.bytes = 0;
      }
    }
    return lines;
  }

  /** The incomplete last line. */
  get rest(): string {
    return Buffer.concat(this.parts).toString('utf8');
  }
}
