import type { Socket } from 'node:net';
import type { LogPiece } from '../../container-logs.js';
import { dial } from '../dial.js';
import type { CreatedExecution, InspectedExecution } from '../engine-responses.js';
import type { EngineConnection } from '../engine-connection.js';
import { LogFrames } from './log-frames.js';
import { receivedChunks } from './received-chunks.js';

/**
 * Runs a program that ends when nobody reads any more. An engine goes on with what it runs when the connection closes,
 * for ever; all that it does is to close the program's input. So a second process waits for the end of the input and
 * ends the program, whose place the shell took: `$$` is the program itself. The command comes as parameters, and so
 * nothing in it is the shell's to read.
 */
const UNTIL_INPUT_ENDS = 'exec 3<&0; (cat <&3; kill $$) >/dev/null 2>&1 & exec "$@" </dev/null 3<&-';
/** Longest line that is waited for; what is longer comes in parts. */
const LONGEST_LINE_BYTES = 4 * 1024 * 1024;
/** Of what it says about its own failure. */
const MOST_COMPLAINT = 2000;
const NEWLINE = 0x0a;

/** Lines of a program in a container, without their ends. @throws DomainError `log_unreadable`, `runtime_unavailable` */
export async function* streamLines(
  connection: EngineConnection,
  id: string,
  command: readonly string[],
  signal: AbortSignal,
): AsyncGenerator<string[]> {
  const execution = await create(connection, id, command);
  const socket = await start(connection, execution, signal);
  const close = (): void => void socket.destroy();
  signal.addEventListener('abort', close, { once: true });
  if (signal.aborted) close();
  const frames = new LogFrames();
  const lines = new OutputLines();
  try {
    for await (const chunks of receivedChunks(socket)) {
      // What came since concerns nobody.
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
  const { ExitCode } = await connection.read((client, abortSignal) =>
    dial<InspectedExecution>(client, {
      path: `/exec/${execution}/json`,
      method: 'GET',
      statusCodes: { 200: true },
      abortSignal,
    }),
  );
  if (ExitCode) {
    const complaint = lines.complaint.trim();
    throw new Error(
      `${command[0] ?? 'the program'} ended with status ${ExitCode}${complaint && `: ${complaint}`}`,
    );
  }
}

async function create(connection: EngineConnection, id: string, command: readonly string[]): Promise<string> {
  const { Id = '' } = await connection.read((client, abortSignal) =>
    dial<CreatedExecution>(client, {
      path: `/containers/${id}/exec`,
      method: 'POST',
      statusCodes: { 200: true, 201: true },
      options: {
        Cmd: ['sh', '-c', UNTIL_INPUT_ENDS, 'sh', ...command],
        AttachStdin: true,
        AttachStdout: true,
        AttachStderr: true,
      },
      abortSignal,
    }),
  );
  return Id;
}

async function start(connection: EngineConnection, execution: string, signal: AbortSignal): Promise<Socket> {
  const stream = await connection.stream(
    (client, abortSignal) =>
      dial<Socket>(client, {
        path: `/exec/${execution}/start`,
        method: 'POST',
        isStream: true,
        hijack: true,
        statusCodes: { 200: true },
        options: { Detach: false, Tty: false },
        abortSignal,
      }),
    signal,
  );
  return stream;
}

/** Joins what a program writes to whole lines; what it complains of is kept apart. */
class OutputLines {
  complaint = '';
  private parts: Buffer[] = [];
  private bytes = 0;

  take(pieces: readonly LogPiece[]): string[] {
    const lines: string[] = [];
    for (const { stream, data } of pieces) {
      if (stream === 'stderr') {
        this.complaint = (this.complaint + data.toString('utf8')).slice(-MOST_COMPLAINT);
        continue;
      }
      const isEnd = data.at(-1) === NEWLINE;
      this.parts.push(isEnd ? data.subarray(0, -1) : data);
      this.bytes += data.length;
      if (isEnd || this.bytes > LONGEST_LINE_BYTES) {
        lines.push(this.rest);
        this.parts = [];
        this.bytes = 0;
      }
    }
    return lines;
  }

  /** The beginning of a line that has not ended. */
  get rest(): string {
    return Buffer.concat(this.parts).toString('utf8');
  }
}
