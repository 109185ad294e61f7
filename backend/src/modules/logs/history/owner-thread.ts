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
let tidying: Tidying | undefined;

port.on('message', (request: OwnerRequest) => {
  // It is empty once it is written.
  const bytes = request.type === 'write' ? request.bytes.length : 0;
  owner.handle(request);
  if (request.type === 'close') {
    tidying?.end();
    port.close();
  } else tidying?.after(bytes);
});
owner.begin();
tidying = new Tidying(owner);
