import type { Duplex } from 'node:stream';
import { guarded } from '../../core/errors/index.js';
import type { RunningProgram } from '../../drivers/runtime/index.js';
import { pidIn } from './shell-command.js';

const START_MS = 10_000;
const MAX_FIRST_LINE = 4096;
const NEWLINE = 0x0a;

/**
 * Reads the process id of a shell, which is not part of its output.
 * @throws Error with the reason of the engine if the shell did not start.
 */
export async function readPid({ stream, ended }: RunningProgram, deadlineMs = START_MS): Promise<number> {
  const said = await firstLine(stream, deadlineMs);
  const pid = pidIn(said);
  if (pid !== undefined) return pid;
  stream.destroy();
  const { problem } = await ended;
  throw new Error(said === '' ? (problem ?? 'it ended at once') : said);
}

/** Reads up to the first newline and leaves the rest in the stream. An early end or the deadline ends the line too. */
async function firstLine(stream: Duplex, deadlineMs: number): Promise<string> {
  return await new Promise((resolve) => {
    let read = Buffer.alloc(0);
    const settle = guarded(() => {
      clearTimeout(deadline);
      stream.off('readable', take).off('end', settle).off('close', settle);
      resolve(read.toString('utf8').trim());
    }, 'start a shell');
    const take = guarded(() => {
      for (let chunk = readChunk(stream); chunk; chunk = readChunk(stream)) {
        const end = chunk.indexOf(NEWLINE);
        read = Buffer.concat([read, end < 0 ? chunk : chunk.subarray(0, end)]);
        if (end < 0 && read.length < MAX_FIRST_LINE) continue;
        if (end >= 0) stream.unshift(chunk.subarray(end + 1));
        settle();
        return;
      }
    }, settle);
    const deadline = setTimeout(settle, deadlineMs);
    stream.on('readable', take).once('end', settle).once('close', settle);
    take();
  });
}

function readChunk(stream: Duplex): Buffer | null {
  const chunk: unknown = stream.read();
  return Buffer.isBuffer(chunk) ? chunk : null;
}
