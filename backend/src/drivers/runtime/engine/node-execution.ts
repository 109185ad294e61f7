import { Readable } from 'node:stream';
import { DomainError, hasCode, reasonOf } from '../../../core/errors/index.js';
import type { NodeExecution } from '../runtime-driver.js';
import type { EngineConnection } from './engine-connection.js';
import { createExecution, exitCodeOf, startExecution } from './execution.js';

/** Far more than the output of any program that Slipway runs. */
const MAX_OUTPUT_BYTES = 8_000_000;
/** Header of a frame: stream, three zero bytes, length. https://docs.docker.com/reference/api/engine/ */
const HEADER_BYTES = 8;
const STDERR = 2;

/** Runs a program in a container and reads its output until it exits or the deadline expires. */
export async function execute(
  connection: EngineConnection,
  id: string,
  command: readonly string[],
  deadlineMs: number,
): Promise<NodeExecution> {
  const deadline = AbortSignal.timeout(deadlineMs);
  try {
    const execution = await createExecution(connection, id, { Cmd: [...command] });
    const stream = await startExecution(connection, execution, Readable, {}, deadline, deadlineMs);
    const { stdout, stderr } = await readOutput(stream);
    deadline.throwIfAborted();
    const exitCode = await exitCodeOf(connection, execution);
    return { exitCode: exitCode ?? -1, stdout, stderr };
  } catch (error) {
    if (hasCode(error, 'runtime_unavailable')) throw error;
    const program = command[0] ?? 'the program';
    const reason = deadline.aborted ? `it did not exit within ${deadlineMs / 1000} s` : reasonOf(error);
    throw new DomainError('node_unavailable', `Could not run ${program} in the node: ${reason}.`, undefined, {
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
    if (bytes > MAX_OUTPUT_BYTES) throw new Error(`its output is larger than ${MAX_OUTPUT_BYTES / 1e6} MB`);
    chunks.push(part);
  }
  return splitStreams(Buffer.concat(chunks));
}

/** Separates the streams of a program without a terminal. */
function splitStreams(raw: Buffer): { stdout: string; stderr: string } {
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
