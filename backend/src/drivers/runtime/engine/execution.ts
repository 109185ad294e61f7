import type { Readable } from 'node:stream';
import { createdExecution, inspectedExecution } from './engine-responses.js';
import type { EngineConnection } from './engine-connection.js';

/** Creates the execution of a program in a container, with its output attached. @returns its id */
export async function createExecution(
  connection: EngineConnection,
  container: string,
  options: { Cmd: string[]; AttachStdin?: boolean; Tty?: boolean },
): Promise<string> {
  const { Id = '' } = await connection.request(
    {
      path: `/containers/${container}/exec`,
      method: 'POST',
      options: { ...options, AttachStdout: true, AttachStderr: true },
    },
    createdExecution,
  );
  return Id;
}

/** @returns the output of the program, or the connection to it with `hijack` */
export async function startExecution<TStream extends Readable>(
  connection: EngineConnection,
  execution: string,
  kind: abstract new (...args: never[]) => TStream,
  { hijack, tty = false }: { hijack?: boolean; tty?: boolean },
  signal: AbortSignal,
  deadlineMs?: number,
): Promise<TStream> {
  const options = { Detach: false, Tty: tty };
  return await connection.requestStream(
    { path: `/exec/${execution}/start`, method: 'POST', hijack, options },
    kind,
    signal,
    deadlineMs,
  );
}

export async function exitCodeOf(
  connection: EngineConnection,
  execution: string,
): Promise<number | undefined> {
  const { ExitCode } = await connection.request(
    { path: `/exec/${execution}/json`, method: 'GET' },
    inspectedExecution,
  );
  return ExitCode;
}
