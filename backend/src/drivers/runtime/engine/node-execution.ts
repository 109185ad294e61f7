import { DomainError, reasonOf } from '../../../core/errors/index.js';
import type { NodeExecution } from '../runtime-driver.js';
import { dial } from './dial.js';
import type { CreatedExecution, InspectedExecution } from './engine-responses.js';
import type { EngineConnection } from './engine-connection.js';

/** Far above what any program says that is asked here; what is longer is cut off by an error. */
const MAX_OUTPUT_BYTES = 8_000_000;
/** Before each piece of output: its stream, three empty bytes, and its length. https://docs.docker.com/reference/api/engine/ */
const HEADER_BYTES = 8;
const STDERR = 2;

/** Runs a program in a container through the engine's API, and ends reading when its time is over. */
export async function execute(
  connection: EngineConnection,
  id: string,
  command: readonly string[],
  deadlineMs: number,
): Promise<NodeExecution> {
  const deadline = AbortSignal.timeout(deadlineMs);
  try {
    const { Id = '' } = await connection.read((client, abortSignal) =>
      dial<CreatedExecution>(client, {
        path: `/containers/${id}/exec`,
        method: 'POST',
        statusCodes: { 200: true, 201: true },
        options: { Cmd: [...command], AttachStdout: true, AttachStderr: true },
        abortSignal,
      }),
    );
    const stream = await connection.stream(
      (client, abortSignal) =>
        dial<NodeJS.ReadableStream>(client, {
          path: `/exec/${Id}/start`,
          method: 'POST',
          isStream: true,
          statusCodes: { 200: true },
          options: { Detach: false, Tty: false },
          abortSignal,
        }),
      deadline,
      deadlineMs,
    );
    const { stdout, stderr } = await readOutput(stream);
    deadline.throwIfAborted();
    const { ExitCode } = await connection.read((client, abortSignal) =>
      dial<InspectedExecution>(client, {
        path: `/exec/${Id}/json`,
        method: 'GET',
        statusCodes: { 200: true },
        abortSignal,
      }),
    );
    return { exitCode: ExitCode ?? -1, stdout, stderr };
  } catch (error) {
    if (error instanceof DomainError && error.code === 'runtime_unavailable') throw error;
    const reason = deadline.aborted
      ? `${command[0] ?? 'the program'} did not end within ${deadlineMs / 1000} s`
      : reasonOf(error);
    throw new DomainError('node_unavailable', `Nothing could be run in the node: ${reason}.`, undefined, {
      cause: error,
    });
  }
}

async function readOutput(stream: NodeJS.ReadableStream): Promise<{ stdout: string; stderr: string }> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of stream) {
    const part = Buffer.from(chunk as Uint8Array);
    bytes += part.length;
    if (bytes > MAX_OUTPUT_BYTES) throw new Error(`it said more than ${MAX_OUTPUT_BYTES / 1e6} MB`);
    chunks.push(part);
  }
  return splitStreams(Buffer.concat(chunks));
}

/** Takes apart what an engine sends of a program without a terminal. */
export function splitStreams(raw: Buffer): { stdout: string; stderr: string } {
  const stdout: Buffer[] = [];
  const stderr: Buffer[] = [];
  for (let at = 0; at + HEADER_BYTES <= raw.length;) {
    const length = raw.readUInt32BE(at + 4);
    const part = raw.subarray(at + HEADER_BYTES, at + HEADER_BYTES + length);
    (raw[at] === STDERR ? stderr : stdout).push(part);
    at += HEADER_BYTES + length;
  }
  return { stdout: Buffer.concat(stdout).toString('utf8'), stderr: Buffer.concat(stderr).toString('utf8') };
}
