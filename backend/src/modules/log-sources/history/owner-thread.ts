import { parentPort, workerData } from 'node:worker_threads';
import type { OwnerAnswer, OwnerData, OwnerRequest } from './owner-messages.js';
import { SegmentOwner } from './segment-owner.js';
import { Tidying } from './tidying.js';

/** The thread that owns the files of the history. Requests are done in order; tidying comes in between. */
const port = parentPort;
if (!port) throw new Error('owner-thread is a thread and nothing else');

const owner = new SegmentOwner((workerData as { data: OwnerData }).data, (answer: OwnerAnswer) =>
  port.postMessage(answer),
);
owner.begin();
const tidying = new Tidying(owner);

port.on('message', (request: OwnerRequest) => {
  // It is empty once it is written.
  const written = request.type === 'write' ? request.bytes.length : 0;
  owner.handle(request);
  if (request.type !== 'close') {
    tidying.after(written);
    return;
  }
  tidying.end();
  port.close();
});
