import { parentPort, workerData } from 'node:worker_threads';
import { reasonOf } from '../../../core/errors/reason-of.js';
import { primaryCode } from '../../../core/errors/storage-failure.js';
import { BlockWriter } from './block-writer.js';
import type { WriterEvent, WriterMessage, WriterOptions } from './writer-messages.js';

/** SQLite's primary result codes CORRUPT and NOTADB. */
const DAMAGE = new Set([11, 26]);

const { data: options } = workerData as { data: WriterOptions };
const post = (event: WriterEvent): void => parentPort?.postMessage(event);
const writer = new BlockWriter(options, post);
let expected: number | undefined;
let maintenance: NodeJS.Immediate | undefined;

/** @returns whether it worked. Ends the thread if the file is damaged: the next one checks it, and sets it aside. */
function attempt(work: () => void): boolean {
  try {
    work();
    return true;
  } catch (error) {
    if (DAMAGE.has(primaryCode(error) ?? 0)) throw error;
    post({ type: 'failed', reason: reasonOf(error) });
    return false;
  }
}

function maintain(): void {
  maintenance = undefined;
  let goesOn = false;
  attempt(() => {
    goesOn = writer.maintain();
  });
  if (goesOn) maintenance = setImmediate(maintain);
}

parentPort?.on('message', (message: WriterMessage) => {
  if (message === 'close') {
    clearImmediate(maintenance);
    writer.close();
    process.exit();
  }
  const { id, request } = message;
  expected ??= id;
  if (id !== expected) return;
  if (!attempt(() => writer.apply(request))) return;
  expected += 1;
  post({ type: 'done', id, bytesOnDisk: writer.bytesOnDisk });
  maintenance ??= setImmediate(maintain);
});

post(writer.opened);
